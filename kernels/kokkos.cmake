# The Kokkos backend and the Kokkos part of every kernel. A separate object library, because Kokkos's flags
# (and its compiler, for a CUDA device) apply to these files only.
add_library(cfdmark_kokkos_kernels OBJECT device/kokkos/kokkos.cpp cells/kokkos/kokkos_spaces.cpp
  ${kokkos_kernel_sources})
target_link_libraries(cfdmark_kokkos_kernels PRIVATE cfdmark_flags Kokkos::kokkos)
target_compile_definitions(cfdmark_kokkos_kernels PRIVATE
  $<TARGET_PROPERTY:cfdmark_kernels,INTERFACE_COMPILE_DEFINITIONS>)
if(CFDMARK_HAVE_OPENMP)
  target_link_libraries(cfdmark_kokkos_kernels PRIVATE OpenMP::OpenMP_CXX)
endif()
if("CUDA" IN_LIST Kokkos_DEVICES)
  # Contraction off, as for all compilers.
  target_compile_options(cfdmark_kokkos_kernels PRIVATE --fmad=false)
  # Functions for host and device call host-only functions in instances that only the host uses. If a device
  # reached such a call, compilation would fail, so these warnings carry no information. Unknown pragmas are
  # for the host compiler.
  foreach(warning 1675 20011 20013 20014 20015)
    target_compile_options(cfdmark_kokkos_kernels PRIVATE "SHELL:-Xcudafe --diag_suppress=${warning}")
  endforeach()
else()
  cfdmark_precompile(cfdmark_kokkos_kernels algorithm array functional memory optional string vector Kokkos_Core.hpp)
endif()

target_sources(cfdmark_kernels PRIVATE $<TARGET_OBJECTS:cfdmark_kokkos_kernels>)
# Link-only: as an ordinary dependency it would have the files of cfdmark_kernels compiled by Kokkos's
# compiler.
target_link_libraries(cfdmark_kernels INTERFACE $<LINK_ONLY:Kokkos::kokkos>)
