# cmake -DROOT=<dir> -DSOURCES=<a|b|c> -DOUTPUT=<file.cpp> -P embed_sources.cmake
# Writes the texts of the files, named relative to ROOT, into a C++ source: cuda_sources.hpp declares what it defines.

string(REPLACE "|" ";" sources "${SOURCES}")
set(entries "")
foreach(source IN LISTS sources)
  file(READ "${ROOT}/${source}" text)
  string(APPEND entries "    {\"${source}\", R\"cfdmark(${text})cfdmark\"},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Written by cmake/embed_sources.cmake.
#include \"kernels/backends/cuda_sources.hpp\"

namespace cfdmark {

const std::vector<CudaSource>& cuda_sources() {
  static const std::vector<CudaSource> sources = {
${entries}  };
  return sources;
}

}  // namespace cfdmark
")
