// The text of the device code and of the headers it includes, embedded at build time.
#pragma once

#include <string_view>
#include <vector>

namespace cfdmark {

struct CudaSource {
  std::string_view path;  // as in an #include: "kernels/core/grid.hpp"
  std::string_view text;  // refers to a string literal
};

// Returns all sources that NVRTC may read: the library's, then those added.
const std::vector<CudaSource>& cuda_sources();
// Adds device code from outside the library, such as a test's. It may include the library's headers.
void add_cuda_sources(const std::vector<CudaSource>&);

std::vector<CudaSource> embedded_cuda_sources();  // generated; the library's sources

}  // namespace cfdmark
