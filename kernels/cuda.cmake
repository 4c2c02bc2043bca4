# The CUDA backend. No nvcc: device code is compiled by NVRTC when the program runs, from texts kept in the library.

# What NVRTC may read: the device code, and the headers that it includes.
set(cuda_headers
  kernels/core/portability.hpp kernels/core/grid.hpp kernels/core/reduction_operations.hpp kernels/core/scalar.hpp
  kernels/core/stencil.hpp kernels/backends/device.cuh kernels/backends/device_reduction.cuh
  kernels/backends/dynamic_shared.cuh kernels/backends/grid_barrier.cuh
  kernels/axpby/axpby_formula.hpp kernels/cg_iteration/cg_iteration_formula.hpp
  kernels/four_variable_update/four_variable_formula.hpp
  kernels/smoothing/smoothing_formula.hpp kernels/stream/stream_formula.hpp)
set(cuda_sources kernels/red_black_sor/red_black_streamed.cu kernels/reduction/reduction_levels.cu)
foreach(kernel IN LISTS kernels)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${kernel}/${kernel}.cu)
    list(APPEND cuda_sources kernels/${kernel}/${kernel}.cu)
    target_sources(cfdmark_kernels PRIVATE ${kernel}/${kernel}_cuda.cpp)
  endif()
endforeach()
set_property(GLOBAL PROPERTY CFDMARK_CUDA_SOURCES ${cuda_sources})

set(embedded ${cuda_sources} ${cuda_headers})
list(TRANSFORM embedded PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE embedded_files)
list(JOIN embedded "|" embedded_names)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cuda_sources.cpp
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} "-DSOURCES=${embedded_names}"
          -DFUNCTION=embedded_cuda_sources -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/cuda_sources.cpp
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
  DEPENDS ${embedded_files} ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
  VERBATIM)

target_sources(cfdmark_kernels PRIVATE
  ${CMAKE_CURRENT_BINARY_DIR}/cuda_sources.cpp
  backends/cuda.cpp
  backends/cuda_blocks.cpp
  backends/cuda_check.cpp
  backends/cuda_library.cpp
  backends/cuda_offline.cpp
  backends/cuda_plan.cpp
  backends/cuda_sources.cpp
  backends/nvml.cpp
  backends/nvrtc.cpp
  backends/nvrtc_cache.cpp
  reduction/reduction_levels_cuda.cpp)
# Shared libraries that load without a driver; nothing links libcuda.
target_link_libraries(cfdmark_kernels PRIVATE CUDA::cudart CUDA::nvrtc CUDA::cublas ${CMAKE_DL_LIBS})
