// PNG images.
#pragma once

#include <string>

#include "solvers/problems/mask.hpp"

namespace cfdmark {

// Darker than the middle grey is solid; what is transparent shows white. Throws std::invalid_argument with
// the file and what is wrong with it, or that this build cannot read any.
Mask read_png(const std::string& file);

}  // namespace cfdmark
