# The Kokkos backend and the Kokkos side of every kernel. An object library of its own: Kokkos's flags (and its
# compiler, where Kokkos has a CUDA device) are for these files only.
add_library(cfdmark_kokkos_kernels OBJECT backends/kokkos.cpp ${kokkos_kernel_sources})
target_link_libraries(cfdmark_kokkos_kernels PRIVATE cfdmark_flags Kokkos::kokkos)
target_compile_definitions(cfdmark_kokkos_kernels PRIVATE
  $<TARGET_PROPERTY:cfdmark_kernels,INTERFACE_COMPILE_DEFINITIONS>)
if(CFDMARK_HAVE_OPENMP)
  target_link_libraries(cfdmark_kokkos_kernels PRIVATE OpenMP::OpenMP_CXX)
endif()
if("CUDA" IN_LIST Kokkos_DEVICES)
  # Contraction off, as for every other compiler.
  target_compile_options(cfdmark_kokkos_kernels PRIVATE --fmad=false)
  # Functions for both sides call functions of the host where the host alone instantiates them. A device that came
  # to such a call would not compile: these warnings say nothing, twelve thousand lines long. Pragmas of GCC are the
  # host compiler's.
  foreach(warning 1675 20011 20013 20014 20015)
    target_compile_options(cfdmark_kokkos_kernels PRIVATE "SHELL:-Xcudafe --diag_suppress=${warning}")
  endforeach()
endif()

target_sources(cfdmark_kernels PRIVATE $<TARGET_OBJECTS:cfdmark_kokkos_kernels>)
# For the link of what uses the kernels, and nothing else: as a dependency of these files it would have them compiled
# by Kokkos's compiler.
target_link_libraries(cfdmark_kernels INTERFACE $<LINK_ONLY:Kokkos::kokkos>)
