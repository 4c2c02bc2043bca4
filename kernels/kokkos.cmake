# The Kokkos backend and the Kokkos methods of every kernel. A separate object library, since Kokkos's flags
# (and its compiler, if Kokkos has a CUDA device) apply to these files only.
add_library(cfdmark_kokkos_kernels OBJECT backends/kokkos.cpp ${kokkos_kernel_sources})
target_link_libraries(cfdmark_kokkos_kernels PRIVATE cfdmark_flags Kokkos::kokkos)
target_compile_definitions(cfdmark_kokkos_kernels PRIVATE
  $<TARGET_PROPERTY:cfdmark_kernels,INTERFACE_COMPILE_DEFINITIONS>)
if(CFDMARK_HAVE_OPENMP)
  target_link_libraries(cfdmark_kokkos_kernels PRIVATE OpenMP::OpenMP_CXX)
endif()
if("CUDA" IN_LIST Kokkos_DEVICES)
  # Contraction is off, as for every other compiler.
  target_compile_options(cfdmark_kokkos_kernels PRIVATE --fmad=false)
  # Suppresses thousands of warnings about host-device functions that call host functions where only the host
  # instantiates them; a real device call would not compile. Unknown pragmas are those of the host compiler.
  foreach(warning 1675 20011 20013 20014 20015)
    target_compile_options(cfdmark_kokkos_kernels PRIVATE "SHELL:-Xcudafe --diag_suppress=${warning}")
  endforeach()
endif()

target_sources(cfdmark_kernels PRIVATE $<TARGET_OBJECTS:cfdmark_kokkos_kernels>)
# For linking only: as a dependency of these files it would make Kokkos's compiler compile them.
target_link_libraries(cfdmark_kernels INTERFACE $<LINK_ONLY:Kokkos::kokkos>)
