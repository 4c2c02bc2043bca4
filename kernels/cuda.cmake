# The CUDA backend. nvcc is not used: NVRTC compiles device code when the program runs, from sources embedded
# in the library (the device code of every kernel and the headers that it includes).
list(APPEND cuda_sources kernels/device/cuda/primitives/same_bits.cu kernels/device/cuda/runtime/convergence_loop.cu
     kernels/device/cuda/primitives/copy_with_ghosts.cu kernels/device/cuda/primitives/link_probe.cu
     kernels/device/cuda/runtime/peer_exchange.cu kernels/ranks/scattered_values.cu)
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
  device/cuda/runtime/cublas_on_demand.cpp
  device/cuda/runtime/cuda.cpp
  device/cuda/plan/cuda_blocks.cpp
  device/cuda/runtime/cuda_check.cpp
  device/cuda/runtime/cuda_library.cpp
  device/cuda/runtime/cuda_limits.cpp
  device/cuda/runtime/cuda_loop.cpp
  device/cuda/runtime/cuda_peers.cpp
  device/cuda/plan/cuda_offline.cpp
  device/cuda/plan/cuda_plan.cpp
  device/cuda/jit/cuda_sources.cpp
  device/cuda/runtime/cuda_staging.cpp
  device/cuda/runtime/convergence_loop_cuda.cpp
  device/cuda/runtime/nvml.cpp
  device/cuda/runtime/peer_access.cpp
  device/cuda/runtime/peer_launch.cpp
  device/cuda/jit/nvrtc.cpp
  device/cuda/jit/nvrtc_cache.cpp
  device/cuda/jit/nvrtc_on_demand.cpp
  device/cuda/primitives/register_tile_cuda.cpp
  device/cuda/primitives/link_rates.cpp
  device/cuda/primitives/same_bits.cpp
  device/shared_library.cpp)
# Nothing links libcuda, so that the program loads without a driver. Other toolkit libraries are opened on
# first use.
target_link_libraries(cfdmark_kernels PRIVATE CUDA::cudart ${CMAKE_DL_LIBS})
set_source_files_properties(device/shared_library.cpp PROPERTIES
  COMPILE_DEFINITIONS CFDMARK_CUDA_LIBRARIES="${CUDAToolkit_LIBRARY_DIR}")

if(CFDMARK_HAVE_NCCL)
  target_sources(cfdmark_kernels PRIVATE device/library/nccl.cpp device/library/nccl_on_demand.cpp)
  if(NOT NCCL_INCLUDE_DIR IN_LIST CUDAToolkit_INCLUDE_DIRS)
    set_source_files_properties(device/library/nccl.cpp device/library/nccl_on_demand.cpp PROPERTIES
      COMPILE_OPTIONS "-isystem;${NCCL_INCLUDE_DIR}")
  endif()
else()
  target_sources(cfdmark_kernels PRIVATE device/library/nccl_absent.cpp)
endif()
