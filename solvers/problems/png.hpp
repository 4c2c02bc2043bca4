// PNG images.
#pragma once

#include <string>

#include "solvers/problems/mask.hpp"

namespace cfdmark {

// Pixels darker than the middle grey are solid; transparent ones show white. Values are sRGB in 8 bits and in
// 16, unless the file has a colour chunk that says otherwise. Throws std::invalid_argument with the file and
// what is wrong with it, or that this build cannot read any; or what `check` throws.
Mask read_png(const std::string& file, const ImageSizeCheck& check);

}  // namespace cfdmark
