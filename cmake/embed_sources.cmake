# cmake -DROOT=<dir> -DSOURCES=<a|b|c> -DFUNCTION=<name> -DOUTPUT=<file.cpp> -P embed_sources.cmake
# Writes the texts of the files, named relative to ROOT, into a C++ source, as what cfdmark::FUNCTION() returns.

string(REPLACE "|" ";" sources "${SOURCES}")
set(entries "")
foreach(source IN LISTS sources)
  file(READ "${ROOT}/${source}" text)
  string(APPEND entries "    {\"${source}\", R\"cfdmark(${text})cfdmark\"},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Written by cmake/embed_sources.cmake.
#include \"kernels/backends/cuda_sources.hpp\"

namespace cfdmark {

std::vector<CudaSource> ${FUNCTION}() {
  return {
${entries}  };
}

}  // namespace cfdmark
")
