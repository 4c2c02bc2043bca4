#include "solvers/problems/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <memory>
#include <stdexcept>

namespace cfdmark {

Mask read_png(const std::string& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> owner(&image, png_image_free);
  const auto require = [&](int done) {
    if (!done) throw std::invalid_argument(fmt::format("{}: {}", file, image.message));
  };
  require(png_image_begin_read_from_file(&image, file.c_str()));
  image.format = PNG_FORMAT_GRAY;
  const int nx = int(image.width), ny = int(image.height);
  std::vector<unsigned char> grey(PNG_IMAGE_SIZE(image));
  const png_color white{255, 255, 255};
  require(png_image_finish_read(&image, &white, grey.data(), 0, nullptr));
  Mask mask{file, nx, ny, std::vector<char>(grey.size())};
  for (int j = 0; j < ny; ++j)  // an image begins at the top
    for (int i = 0; i < nx; ++i)
      mask.solid[std::size_t(ny - 1 - j) * nx + i] = grey[std::size_t(j) * nx + i] < 128;
  return mask;
}

}  // namespace cfdmark
