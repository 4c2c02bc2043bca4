// PNG images.
#pragma once

#include <string>

#include "solvers/problems/mask.hpp"

namespace cfdmark {

// Reads a PNG image. Pixels darker than 50 % are solid; transparent pixels count as white. Values are sRGB in
// 8 or 16 bits unless a colour chunk says otherwise. Throws std::invalid_argument with the file and its
// error, or in a build without libpng; or the exception of `check`.
Mask read_png(const std::string& file, const ImageSizeCheck& check);

}  // namespace cfdmark
