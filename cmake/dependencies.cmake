# Dependencies are installed by the system's package manager.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp REQUIRED)  # its target's name depends on the version
find_package(yaml-cpp REQUIRED)
find_package(benchmark REQUIRED)
find_package(Boost REQUIRED CONFIG)  # headers only: distributions and special functions
find_package(Threads REQUIRED)

if(NOT CFDMARK_OPENMP STREQUAL "OFF")
  find_package(OpenMP COMPONENTS CXX)
endif()
cfdmark_optional(OPENMP "${OpenMP_CXX_FOUND}" "OpenMP")

if(NOT CFDMARK_CUDA STREQUAL "OFF")
  # A toolkit without nvcc on the path suffices, since NVRTC compiles device code at run time.
  # First version whose runtime loads libraries without the driver interface.
  find_package(CUDAToolkit 12.8 QUIET)
endif()
cfdmark_optional(CUDA "${CUDAToolkit_FOUND}" "CUDA toolkit ${CUDAToolkit_VERSION}")

# cuFFT is optional: some installations of the toolkit lack it.
set(CFDMARK_HAVE_CUFFT 0)
if(TARGET CUDA::cufft)
  set(CFDMARK_HAVE_CUFFT 1)
endif()

# NCCL: its header alone. The library is opened when it is called.
set(nccl_found FALSE)
if(CFDMARK_HAVE_CUDA AND NOT CFDMARK_NCCL STREQUAL "OFF")
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT} ENV NCCL_ROOT ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
  if(NCCL_INCLUDE_DIR)
    set(nccl_found TRUE)
  endif()
endif()
cfdmark_optional(NCCL "${nccl_found}" "NCCL")

if(NOT CFDMARK_OPENBLAS STREQUAL "OFF")
  find_path(OPENBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-pthread openblas x86_64-linux-gnu/openblas-pthread
            HINTS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
  find_library(OPENBLAS_LIBRARY openblas)
endif()
if(OPENBLAS_INCLUDE_DIR AND OPENBLAS_LIBRARY)
  set(openblas_found TRUE)
endif()
cfdmark_optional(OPENBLAS "${openblas_found}" "OpenBLAS")

# FFTW in both precisions, with OpenMP threads if OpenMP is available.
set(fftw_found FALSE)
if(NOT CFDMARK_FFTW STREQUAL "OFF")
  find_path(FFTW_INCLUDE_DIR fftw3.h)
  set(fftw_parts fftw3 fftw3f)
  if(CFDMARK_HAVE_OPENMP)
    list(PREPEND fftw_parts fftw3_omp fftw3f_omp)
  endif()
  set(FFTW_LIBRARIES "")
  foreach(part IN LISTS fftw_parts)
    find_library(FFTW_${part}_LIBRARY ${part})
    list(APPEND FFTW_LIBRARIES ${FFTW_${part}_LIBRARY})
  endforeach()
  if(FFTW_INCLUDE_DIR AND NOT "${FFTW_LIBRARIES}" MATCHES "NOTFOUND")
    set(fftw_found TRUE)
  endif()
endif()
cfdmark_optional(FFTW "${fftw_found}" "FFTW")

# Hypre's headers include MPI, although each case runs in one process.
set(hypre_found FALSE)
if(NOT CFDMARK_HYPRE STREQUAL "OFF")
  find_path(HYPRE_INCLUDE_DIR HYPRE_struct_ls.h PATH_SUFFIXES hypre)
  find_library(HYPRE_LIBRARY HYPRE)
  if(HYPRE_INCLUDE_DIR AND HYPRE_LIBRARY)
    find_package(MPI QUIET COMPONENTS CXX)
    set(hypre_found ${MPI_CXX_FOUND})
  endif()
endif()
cfdmark_optional(HYPRE "${hypre_found}" "hypre with MPI")

# The program itself does not link MPI: a module does, which it opens (kernels/ranks/mpi_module.hpp).
if(NOT CFDMARK_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS CXX)
endif()
cfdmark_optional(MPI "${MPI_CXX_FOUND}" "MPI ${MPI_CXX_VERSION}")

if(NOT CFDMARK_GINKGO STREQUAL "OFF")
  find_package(Ginkgo 1.7 QUIET)  # first version whose executors accept allocators
endif()
cfdmark_optional(GINKGO "${Ginkgo_FOUND}" "Ginkgo ${Ginkgo_VERSION}")

if(NOT CFDMARK_PNG STREQUAL "OFF")
  find_package(PNG QUIET)
endif()
cfdmark_optional(PNG "${PNG_FOUND}" "libpng")

if(NOT CFDMARK_PAGMO STREQUAL "OFF")
  find_package(pagmo QUIET)
endif()
cfdmark_optional(PAGMO "${pagmo_FOUND}" "pagmo ${pagmo_VERSION}")

include(cmake/kokkos.cmake)
