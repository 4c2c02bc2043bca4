# cfdmark_build_info: a library with the sources, compiler and options of the program.

# Returns the instruction set that -march selects here; native differs between machines.
function(cfdmark_resolve_instruction_set result)
  if(NOT CFDMARK_ARCH)
    set(${result} "the compiler's default" PARENT_SCOPE)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=${CFDMARK_ARCH} -Q --help=target
                    OUTPUT_VARIABLE answer ERROR_QUIET)
    string(REGEX MATCH "-march=[ \t]+([^ \t\n]+)" matched "${answer}")
  else()
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=${CFDMARK_ARCH} -E -x c++ -### /dev/null
                    ERROR_VARIABLE answer OUTPUT_QUIET)
    string(REGEX MATCH "\"-target-cpu\" \"([^\"]+)\"" matched "${answer}")
  endif()
  if(NOT matched)
    set(${result} "${CFDMARK_ARCH}" PARENT_SCOPE)
    return()
  endif()
  set(name "${CMAKE_MATCH_1}")
  # A compiler older than the processor names an older processor plus extensions; the vector extensions matter
  # most.
  foreach(vectors avx512f avx2)
    if(answer MATCHES "-m${vectors}[ \t]+\\[enabled\\]")
      string(APPEND name "+${vectors}")
      break()
    endif()
  endforeach()
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

cfdmark_resolve_instruction_set(instruction_set)
message(STATUS "cfdmark: CPU kernels are compiled for ${instruction_set} (CFDMARK_ARCH=${CFDMARK_ARCH})")

set(build_info_folder ${CMAKE_CURRENT_BINARY_DIR}/build_info)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
get_property(user_kernels GLOBAL PROPERTY CFDMARK_USER_KERNELS)
# The optional parts and their versions: they make different programs from the same sources.
set(parts "")
foreach(part OPENMP KOKKOS CUDA OPENBLAS FFTW CUFFT HYPRE GINKGO PAGMO)
  string(APPEND parts "${part} ${CFDMARK_HAVE_${part}} ")
endforeach()
get_property(user_families GLOBAL PROPERTY CFDMARK_USER_FAMILIES)
string(APPEND parts "${user_families} Kokkos ${Kokkos_VERSION} ${Kokkos_DEVICES} CUDA ${CUDAToolkit_VERSION} Ginkgo ${Ginkgo_VERSION}")
file(GENERATE OUTPUT ${build_info_folder}/facts.cmake CONTENT
"set(version [[${PROJECT_VERSION}]])
set(build_type [[${CMAKE_BUILD_TYPE}]])
set(compiler [[${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}]])
set(flags [[${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}} $<JOIN:$<TARGET_PROPERTY:cfdmark_flags,INTERFACE_COMPILE_OPTIONS>, >]])
set(instruction_set [[${instruction_set}]])
set(arch [[${CFDMARK_ARCH}]])
set(yaml_cpp [[${yaml-cpp_VERSION}]])
set(google_benchmark [[${benchmark_VERSION}]])
set(source_folder [[${PROJECT_SOURCE_DIR}]])
set(user_kernels [[${user_kernels}]])
set(parts [[${parts}]])
")

# Runs at every build, so that fingerprint, commit and dirty are current. The file is touched only if it
# changes.
add_custom_target(cfdmark_write_build_info
  COMMAND ${CMAKE_COMMAND} -D folder=${build_info_folder} -D template=${PROJECT_SOURCE_DIR}/bench/device_facts/build_info.cpp.in
          -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${build_info_folder}/build_info.cpp
  VERBATIM)
add_library(cfdmark_build_info STATIC ${build_info_folder}/build_info.cpp)
add_dependencies(cfdmark_build_info cfdmark_write_build_info)
target_link_libraries(cfdmark_build_info PRIVATE cfdmark_flags)
