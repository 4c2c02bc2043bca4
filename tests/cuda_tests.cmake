# Tests of the CUDA backend without a GPU. Device code is compiled for two architectures and run on an
# emulated device: a generator writes C++ files with the functions that the methods launch, and the host
# compiler compiles them.

if(NOT CFDMARK_HAVE_CUDA)
  return()
endif()

set(emulation ${CMAKE_CURRENT_BINARY_DIR}/cuda_emulation)
file(MAKE_DIRECTORY ${emulation})
get_property(cuda_sources GLOBAL PROPERTY CFDMARK_CUDA_SOURCES)
# Not in the library; add_cuda_sources passes them to NVRTC.
set(test_sources tests/cuda_emulation/launches.cu)
list(APPEND cuda_sources ${test_sources})
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

add_custom_command(OUTPUT ${emulation}/test_sources.cpp
  COMMAND ${CMAKE_COMMAND} -DROOTS=${PROJECT_SOURCE_DIR} -DSOURCES=${test_sources} -DFUNCTION=cuda_test_sources
          -DWITHOUT_INCLUDES=ON
          -DOUTPUT=${emulation}/test_sources.cpp -P ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/${test_sources} ${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake
  VERBATIM)

add_executable(cfdmark_cuda_tests
  bench/measure/compile_ahead_test.cpp
  cuda_emulation/batch_test.cpp
  cuda_emulation/blocks_test.cpp
  cuda_emulation/cg_persistent_test.cpp
  cuda_emulation/context.cpp
  cuda_emulation/csr_test.cpp
  cuda_emulation/devices_test.cpp
  cuda_emulation/direct_ends_test.cpp
  cuda_emulation/direct_test.cpp
  cuda_emulation/emulated_device.cpp
  cuda_emulation/emulation_test.cpp
  cuda_emulation/sweeps_test.cpp
  cuda_emulation/kernel_fields_test.cpp
  cuda_emulation/launch_test.cpp
  cuda_emulation/links_test.cpp
  cuda_emulation/levels_test.cpp
  cuda_emulation/memory_test.cpp
  cuda_emulation/mesh_test.cpp
  cuda_emulation/reduction_levels_test.cpp
  cuda_emulation/flow_test.cpp
  cuda_emulation/solvers_test.cpp
  cuda_emulation/step_test.cpp
  cuda_emulation/stream_order.cpp
  cuda_emulation/turns.cpp
  kernels/cuda_cache_test.cpp
  kernels/cuda_compile_test.cpp
  kernels/cuda_device_test.cpp
  kernels/nccl_test.cpp
  kernels/nvml_test.cpp
  kernels/shared_library_test.cpp
  solvers/linear/cg_cusparse_test.cpp
  solvers/linear/cuda_vectors_test.cpp
  $<TARGET_OBJECTS:cfdmark_emulated>
  ${emulation}/test_sources.cpp)
# Many emulated functions that run once: a separate target, so that another kernel does not rebuild the tests.
add_library(cfdmark_emulated OBJECT ${emulated} ${emulation}/table.cpp)
target_link_libraries(cfdmark_emulated PRIVATE cfdmark_bench CUDA::cudart)
target_compile_options(cfdmark_emulated PRIVATE -O1 -Wno-unknown-pragmas)
cfdmark_precompile(cfdmark_emulated array cstring functional map memory string vector)
# Options of single files would change the flags of the whole target (kernels/kernel_files.cmake).
get_property(user_kernels GLOBAL PROPERTY CFDMARK_USER_KERNELS)
string(REPLACE "|" ";" user_kernels "${user_kernels}")
foreach(folder IN LISTS user_kernels)
  cmake_path(GET folder FILENAME name)
  set_source_files_properties(${emulation}/${name}_cells.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endforeach()
target_link_libraries(cfdmark_cuda_tests PRIVATE cfdmark_bench Catch2::Catch2WithMain CUDA::cudart)
cfdmark_precompile(cfdmark_cuda_tests ${precompiled_for_tests})
# It undefines a macro before it includes anything.
set_source_files_properties(cuda_emulation/context.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
# For unroll pragmas in device headers.
target_compile_options(cfdmark_cuda_tests PRIVATE -Wno-unknown-pragmas)
add_library(cfdmark_fake_nvml MODULE kernels/fake_nvml.cpp)
add_dependencies(cfdmark_cuda_tests cfdmark_fake_nvml)
set_source_files_properties(kernels/nvml_test.cpp kernels/shared_library_test.cpp cuda_emulation/devices_test.cpp
  cuda_emulation/links_test.cpp
  PROPERTIES COMPILE_DEFINITIONS "CFDMARK_FAKE_NVML=\"$<TARGET_FILE:cfdmark_fake_nvml>\"")
discover_tests_of_devices(cfdmark_cuda_tests)

# Ranks on several devices.
add_executable(cfdmark_device_ranks_tests
  cuda_emulation/context.cpp
  cuda_emulation/emulated_device.cpp
  cuda_emulation/emulated_group.cpp
  cuda_emulation/emulated_peers.cpp
  cuda_emulation/peer_faults_test.cpp
  cuda_emulation/peers_test.cpp
  cuda_emulation/rank_flows_test.cpp
  cuda_emulation/rank_kernels_test.cpp
  cuda_emulation/rank_overlap_test.cpp
  cuda_emulation/rank_levels_test.cpp
  cuda_emulation/rank_mesh_exchange_test.cpp
  cuda_emulation/rank_mesh_rows_test.cpp
  cuda_emulation/rank_mesh_test.cpp
  cuda_emulation/ranks_test.cpp
  cuda_emulation/stream_order.cpp
  cuda_emulation/turns.cpp
  $<TARGET_OBJECTS:cfdmark_emulated>)
target_link_libraries(cfdmark_device_ranks_tests PRIVATE cfdmark_bench Catch2::Catch2WithMain CUDA::cudart)
target_compile_options(cfdmark_device_ranks_tests PRIVATE -Wno-unknown-pragmas)
discover_tests_of_devices(cfdmark_device_ranks_tests)

# Run by tests/ranks/test_processes.py.
if(CFDMARK_HAVE_MPI)
  add_executable(cfdmark_mpi_devices_check
    cuda_emulation/context.cpp
    cuda_emulation/emulated_device.cpp
    cuda_emulation/emulated_group.cpp
    cuda_emulation/emulated_peers.cpp
    cuda_emulation/stream_order.cpp
    cuda_emulation/turns.cpp
    ranks/mpi_devices_check.cpp
    $<TARGET_OBJECTS:cfdmark_emulated>)
  target_link_libraries(cfdmark_mpi_devices_check PRIVATE cfdmark_bench CUDA::cudart)
  target_compile_options(cfdmark_mpi_devices_check PRIVATE -Wno-unknown-pragmas)
  add_dependencies(cfdmark_mpi_devices_check cfdmark_mpi)
endif()

# For tests/trials/run gpu, on a real device.
add_library(cfdmark_device_faults MODULE trials/device_faults.cpp)
target_link_libraries(cfdmark_device_faults PRIVATE CUDA::cudart CUDA::nvrtc ${CMAKE_DL_LIBS})

# A separate process, because it loses the device.
add_test(NAME "a device that is lost in the middle of a run is reported as lost"
         COMMAND cfdmark_cuda_tests "[device_lost]")

# A separate process, because OpenMP binds its first thread at start-up.
add_test(NAME "device code is compiled on all processors though OpenMP binds the first thread"
         COMMAND cfdmark_cuda_tests "[bound]")
set_tests_properties("device code is compiled on all processors though OpenMP binds the first thread"
                     PROPERTIES ENVIRONMENT "OMP_PROC_BIND=close;OMP_NUM_THREADS=2")

# Separate processes, because a library that is opened stays open.
if(CFDMARK_HAVE_NCCL)
  add_library(cfdmark_fake_nccl MODULE kernels/fake_nccl.cpp)
  target_include_directories(cfdmark_fake_nccl SYSTEM PRIVATE ${NCCL_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
  set(fake_nccl ${CMAKE_CURRENT_BINARY_DIR}/fake_nccl)
  set_target_properties(cfdmark_fake_nccl PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${fake_nccl} PREFIX "" OUTPUT_NAME libnccl
                        SUFFIX .so.2)
  add_dependencies(cfdmark_cuda_tests cfdmark_fake_nccl)
  add_test(NAME "ranks joined by NCCL exchange messages and sums, with NVLink multicast off"
           COMMAND cfdmark_cuda_tests "[fake_nccl]")
  add_test(NAME "an NCCL before 2.15.1 is refused" COMMAND cfdmark_cuda_tests "[old_nccl]")
  set_tests_properties("ranks joined by NCCL exchange messages and sums, with NVLink multicast off"
                       PROPERTIES ENVIRONMENT "LD_LIBRARY_PATH=${fake_nccl}")
  set_tests_properties("an NCCL before 2.15.1 is refused"
                       PROPERTIES ENVIRONMENT "LD_LIBRARY_PATH=${fake_nccl};CFDMARK_FAKE_NCCL_VERSION=21403")
endif()

# Checks that nvcc compiles the device code, if there is one.
find_program(nvcc nvcc HINTS ${CUDAToolkit_BIN_DIR} NO_CACHE)
if(nvcc)
  foreach(source IN LISTS cuda_sources)
    cmake_path(GET source STEM name)
    set(folder ${PROJECT_SOURCE_DIR})
    if(source MATCHES "^generated/")
      set(folder ${PROJECT_BINARY_DIR})
    endif()
    add_test(NAME "nvcc compiles ${name}.cu"
             COMMAND ${nvcc} -std=c++20 --fmad=false -arch=sm_90 -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR} -I${PROJECT_BINARY_DIR}/user_kernels --Werror all-warnings
                     -o ${emulation}/${name}.o -c ${folder}/${source})
  endforeach()
endif()
