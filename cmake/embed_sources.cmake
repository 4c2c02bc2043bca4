# cmake -DROOTS=<dir|dir> -DSOURCES=<a|b|c> -DFUNCTION=<name> -DOUTPUT=<file.cpp> [-DWITHOUT_INCLUDES=ON] -P embed_sources.cmake
# Writes the given files, and all files that they include by name, into a C++ source as the result of
# cfdmark::FUNCTION(). Each file is found below one of the roots.

cmake_minimum_required(VERSION 3.21)
string(REPLACE "|" ";" roots "${ROOTS}")
string(REPLACE "|" ";" sources "${SOURCES}")

set(embedded "")
set(entries "")
while(sources)
  list(POP_FRONT sources source)
  if(source IN_LIST embedded)
    continue()
  endif()
  list(APPEND embedded ${source})
  set(path "")
  foreach(root IN LISTS roots)
    if(root AND EXISTS "${root}/${source}")
      set(path "${root}/${source}")
      break()
    endif()
  endforeach()
  if(NOT path)
    message(FATAL_ERROR "device code includes \"${source}\", which is not below ${roots}")
  endif()
  file(READ "${path}" text)
  string(APPEND entries "    {\"${source}\", R\"cfdmark(${text})cfdmark\"},\n")
  set(includes "")
  if(NOT WITHOUT_INCLUDES)
    string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  endif()
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" include "${include}")
    list(APPEND sources ${include})
  endforeach()
endwhile()

file(WRITE "${OUTPUT}" "// Written by cmake/embed_sources.cmake.
#include \"kernels/device/cuda/jit/cuda_sources.hpp\"

namespace cfdmark {

std::vector<CudaSource> ${FUNCTION}() {
  return {
${entries}  };
}

}  // namespace cfdmark
")
