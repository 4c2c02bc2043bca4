// Replaces png.cpp in a build without libpng.
#include <fmt/format.h>

#include <stdexcept>

#include "solvers/problems/png.hpp"

namespace cfdmark {

Mask read_png(const std::string& file, const ImageSizeCheck&) {
  throw std::invalid_argument(
      fmt::format("{}: this build reads no PNG images: rebuild with libpng (libpng-dev), or convert it with "
                  "`magick IN.png OUT.pgm`",
                  file));
}

}  // namespace cfdmark
