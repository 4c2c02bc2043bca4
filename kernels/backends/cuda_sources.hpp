// The texts of the device code and of the headers it includes, as they were when the library was built.
#pragma once

#include <string_view>
#include <vector>

namespace cfdmark {

struct CudaSource {
  std::string_view path;  // as an #include names it: "kernels/core/grid.hpp"
  std::string_view text;
};

const std::vector<CudaSource>& cuda_sources();

}  // namespace cfdmark
