// Which optional parts this build has. CMake sets the three macros; code asks these constants.
#pragma once

#include <string>

namespace cfdmark {

inline constexpr bool built_with_kokkos = CFDMARK_HAVE_KOKKOS;
inline constexpr bool built_with_cuda = CFDMARK_HAVE_CUDA;
inline constexpr bool built_with_openblas = CFDMARK_HAVE_OPENBLAS;

// "0.3.21 ... SkylakeX MAX_THREADS=64": version, options and the processor that its kernels are for; empty if
// built without.
std::string openblas_version();

}  // namespace cfdmark
