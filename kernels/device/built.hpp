// The optional parts of this build. CMake sets the three macros; code reads these constants only.
#pragma once

#include <string>

namespace cfdmark {

inline constexpr bool built_with_kokkos = CFDMARK_HAVE_KOKKOS;
inline constexpr bool built_with_cuda = CFDMARK_HAVE_CUDA;
inline constexpr bool built_with_openblas = CFDMARK_HAVE_OPENBLAS;

// Returns version, build options and target processor, such as "0.3.21 ... SkylakeX MAX_THREADS=64"; empty if
// built without OpenBLAS.
std::string openblas_version();

}  // namespace cfdmark
