# Build options and the compiler flags that follow from them.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(CFDMARK_ARCH native CACHE STRING "value of -march for the CPU kernels, stored in every record")
set(CFDMARK_SANITIZE "" CACHE STRING "sanitizers to build with, such as address,undefined or thread")
option(CFDMARK_WARNINGS_AS_ERRORS "treat warnings as errors" OFF)
option(CFDMARK_FUZZERS "build tests/fuzz, with clang++: the preset `fuzz`" OFF)
set(CFDMARK_KERNELS "" CACHE STRING "folders of external kernels, separated by semicolons: see README.md")
set(CFDMARK_FAMILIES "" CACHE STRING "folders of external families of solvers, separated by semicolons: see docs/own-solvers.md")
set(CFDMARK_PRECISIONS all CACHE STRING "all, or fp64: build no kernels of other precisions")
set_property(CACHE CFDMARK_PRECISIONS PROPERTY STRINGS all fp64)
foreach(part OPENMP KOKKOS CUDA OPENBLAS FFTW HYPRE GINKGO PNG PAGMO MPI NCCL)
  set(CFDMARK_${part} AUTO CACHE STRING "AUTO: use it if found; ON: require it; OFF: do not use it")
  set_property(CACHE CFDMARK_${part} PROPERTY STRINGS AUTO ON OFF)
endforeach()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")  # assertions stay enabled; they cost nothing where time matters

# `ctest -T memcheck -L gpu` runs the tests that need a device under compute-sanitizer; see CONTRIBUTING.md.
find_program(MEMORYCHECK_COMMAND compute-sanitizer PATHS /usr/local/cuda/bin)
if(MEMORYCHECK_COMMAND)
  set(MEMORYCHECK_TYPE CudaSanitizer)
  # Tests provoke errors of the API on purpose.
  set(MEMORYCHECK_COMMAND_OPTIONS "--tool memcheck --report-api-errors no --error-exitcode 1")
endif()
include(CTest)

# Linked by all our targets. Contraction is off so that formulas give the same bits everywhere. math-errno and
# trapping-math are off so that a square root or a masked update does not prevent vectorisation. Functions and
# loops start at cache lines, so that changes elsewhere in the program do not shift a kernel's instructions.
add_library(cfdmark_flags INTERFACE)
target_compile_options(cfdmark_flags INTERFACE
  -Wall -Wextra -Wpedantic -ffp-contract=off -fno-math-errno -fno-trapping-math
  -falign-functions=64 -falign-loops=64)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Loops issue their own prefetches. Otherwise a Zen 5 EPYC runs the same loop up to 2.3 times slower at half
  # of all code addresses, apparently because its prefetcher uses the low bits of a load's address.
  target_compile_options(cfdmark_flags INTERFACE -fprefetch-loop-arrays)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False positives in std::string (GCC bug 105329).
  target_compile_options(cfdmark_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # False positives for functions that take a temporary and return a reference to something else (GCC bug
  # 107532).
  target_compile_options(cfdmark_flags INTERFACE -Wno-dangling-reference)
endif()
if(CFDMARK_ARCH)
  target_compile_options(cfdmark_flags INTERFACE -march=${CFDMARK_ARCH})
endif()
if(CFDMARK_PRECISIONS STREQUAL "fp64")
  target_compile_options(cfdmark_flags INTERFACE -DCFDMARK_FP64_ALONE)
elseif(NOT CFDMARK_PRECISIONS STREQUAL "all")
  message(FATAL_ERROR "CFDMARK_PRECISIONS=${CFDMARK_PRECISIONS}: expected all or fp64")
endif()
if(CFDMARK_WARNINGS_AS_ERRORS)
  target_compile_options(cfdmark_flags INTERFACE -Werror)
endif()
# The targets of NVRTC and cuBLAS link libcuda, which exists only on machines with a driver. The program opens
# it when needed and must start without it. Some compilers drop unused libraries by default, but not with
# sanitizers.
target_link_options(cfdmark_flags INTERFACE LINKER:--as-needed)
if(CFDMARK_SANITIZE)
  target_compile_options(cfdmark_flags INTERFACE -fsanitize=${CFDMARK_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(cfdmark_flags INTERFACE -fsanitize=${CFDMARK_SANITIZE})
endif()
target_include_directories(cfdmark_flags INTERFACE ${PROJECT_SOURCE_DIR})

# Handles an optional dependency: sets CFDMARK_HAVE_<part> to 0 or 1.
function(cfdmark_optional part found what)
  string(STRIP "${what}" what)  # the version is empty if it was not found
  if(CFDMARK_${part} STREQUAL "OFF")
    set(have 0)
    message(STATUS "cfdmark: ${what}: disabled (CFDMARK_${part}=OFF)")
  elseif(found)
    set(have 1)
    message(STATUS "cfdmark: ${what}: found")
  elseif(CFDMARK_${part} STREQUAL "ON")
    message(FATAL_ERROR "CFDMARK_${part}=ON, but ${what} was not found")
  else()
    set(have 0)
    message(STATUS "cfdmark: ${what}: not found; methods that need it are unavailable")
  endif()
  set(CFDMARK_HAVE_${part} ${have} PARENT_SCOPE)
endfunction()
