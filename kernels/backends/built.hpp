// Which optional parts this build has. CMake sets the three macros; code asks these constants.
#pragma once

namespace cfdmark {

inline constexpr bool built_with_kokkos = CFDMARK_HAVE_KOKKOS;
inline constexpr bool built_with_cuda = CFDMARK_HAVE_CUDA;
inline constexpr bool built_with_openblas = CFDMARK_HAVE_OPENBLAS;

}  // namespace cfdmark
