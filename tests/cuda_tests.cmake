# Tests of the CUDA side that need no GPU. Device code is compiled for two architectures, and run on an emulated device:
# a program that knows all methods writes C++ files that define the functions they launch, compiled by the host's compiler.

if(NOT CFDMARK_HAVE_CUDA)
  return()
endif()

set(emulation ${CMAKE_CURRENT_BINARY_DIR}/cuda_emulation)
file(MAKE_DIRECTORY ${emulation})
get_property(cuda_sources GLOBAL PROPERTY CFDMARK_CUDA_SOURCES)
set(emulated "")
foreach(source IN LISTS cuda_sources)
  cmake_path(GET source STEM name)
  list(APPEND emulated ${emulation}/${name}.cpp)
endforeach()

add_executable(cfdmark_generate_emulation cuda_emulation/generate.cpp)
target_link_libraries(cfdmark_generate_emulation PRIVATE cfdmark_bench)
add_custom_command(OUTPUT ${emulated} ${emulation}/table.cpp
  COMMAND cfdmark_generate_emulation ${emulation}
  DEPENDS cfdmark_generate_emulation
  VERBATIM)

add_executable(cfdmark_cuda_tests
  cuda_emulation/emulated_device.cpp
  cuda_emulation/emulation_test.cpp
  cuda_emulation/memory_test.cpp
  cuda_emulation/reduction_levels_test.cpp
  cuda_emulation/solvers_test.cpp
  kernels/cuda_cache_test.cpp
  kernels/cuda_compile_test.cpp
  kernels/cuda_device_test.cpp
  kernels/nvml_test.cpp
  solvers/linear/cg_cusparse_test.cpp
  solvers/linear/cuda_vectors_test.cpp
  ${emulated}
  ${emulation}/table.cpp)
# The emulated functions are many and run once.
set_source_files_properties(${emulated} PROPERTIES COMPILE_OPTIONS "-O1;-Wno-unknown-pragmas")
target_link_libraries(cfdmark_cuda_tests PRIVATE cfdmark_bench Catch2::Catch2WithMain CUDA::cublas)
target_compile_options(cfdmark_cuda_tests PRIVATE -Wno-unknown-pragmas)  # of the device headers, unroll
add_library(cfdmark_fake_nvml MODULE kernels/fake_nvml.cpp)
add_dependencies(cfdmark_cuda_tests cfdmark_fake_nvml)
target_compile_definitions(cfdmark_cuda_tests PRIVATE CFDMARK_FAKE_NVML="$<TARGET_FILE:cfdmark_fake_nvml>")
catch_discover_tests(cfdmark_cuda_tests)

# In a process of its own: it loses the device.
add_test(NAME "a device that is lost in the middle of a run is reported as lost"
         COMMAND cfdmark_cuda_tests "[device_lost]")

# The device code stays valid for nvcc, where there is one.
find_program(nvcc nvcc HINTS ${CUDAToolkit_BIN_DIR} NO_CACHE)
if(nvcc)
  foreach(source IN LISTS cuda_sources)
    cmake_path(GET source STEM name)
    add_test(NAME "nvcc compiles ${name}.cu"
             COMMAND ${nvcc} -std=c++17 --fmad=false -arch=sm_90 -I${PROJECT_SOURCE_DIR} --Werror all-warnings
                     -o ${emulation}/${name}.o -c ${PROJECT_SOURCE_DIR}/${source})
  endforeach()
endif()
