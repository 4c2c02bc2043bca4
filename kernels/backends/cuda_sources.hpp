// The texts of the device code and of the headers it includes, as they were when the program was built.
#pragma once

#include <string_view>
#include <vector>

namespace cfdmark {

struct CudaSource {
  std::string_view path;  // as an #include names it: "kernels/core/grid.hpp"
  std::string_view text;  // of a literal
};

// All that NVRTC may read: what the library holds, and what was added.
const std::vector<CudaSource>& cuda_sources();
// Adds device code that is not the library's, such as a test's. It may include the library's headers.
void add_cuda_sources(const std::vector<CudaSource>&);

std::vector<CudaSource> embedded_cuda_sources();  // generated: the library's

}  // namespace cfdmark
