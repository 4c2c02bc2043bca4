# The CUDA backend, without nvcc: NVRTC compiles device code at run time from texts embedded in the library,
# which are the device code of every kernel and the headers that it includes.
list(APPEND cuda_sources kernels/backends/same_bits.cu kernels/backends/judged_loop.cu
     kernels/backends/copy_with_ghosts.cu)
set_property(GLOBAL PROPERTY CFDMARK_CUDA_SOURCES ${cuda_sources})

file(GLOB_RECURSE device_texts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/*.cu*)
list(JOIN cuda_sources "|" source_names)
list(JOIN user_kernel_roots "|" user_roots)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cuda_sources.cpp
  COMMAND ${CMAKE_COMMAND} "-DROOTS=${PROJECT_SOURCE_DIR}|${PROJECT_BINARY_DIR}|${user_roots}"
          "-DSOURCES=${source_names}" -DFUNCTION=embedded_cuda_sources
          -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/cuda_sources.cpp -P ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
  DEPENDS ${device_texts} ${user_kernel_files} ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
  VERBATIM)

target_sources(cfdmark_kernels PRIVATE
  ${CMAKE_CURRENT_BINARY_DIR}/cuda_sources.cpp
  ${cuda_kernel_sources}
  backends/cublas_on_demand.cpp
  backends/cuda.cpp
  backends/cuda_blocks.cpp
  backends/cuda_check.cpp
  backends/cuda_library.cpp
  backends/cuda_limits.cpp
  backends/cuda_loop.cpp
  backends/cuda_offline.cpp
  backends/cuda_plan.cpp
  backends/cuda_sources.cpp
  backends/cuda_staging.cpp
  backends/judged_loop_cuda.cpp
  backends/nvml.cpp
  backends/nvrtc.cpp
  backends/nvrtc_cache.cpp
  backends/nvrtc_on_demand.cpp
  backends/register_tile_cuda.cpp
  backends/same_bits.cpp
  backends/shared_library.cpp)
# The runtime library loads without a driver, and nothing links libcuda. Other libraries of the toolkit are
# opened on first use.
target_link_libraries(cfdmark_kernels PRIVATE CUDA::cudart ${CMAKE_DL_LIBS})
set_source_files_properties(backends/shared_library.cpp PROPERTIES
  COMPILE_DEFINITIONS CFDMARK_CUDA_LIBRARIES="${CUDAToolkit_LIBRARY_DIR}")
