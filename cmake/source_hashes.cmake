# cmake -DROOT=<dir> -DOUTPUT=<file.cpp> -P source_hashes.cmake
# Writes a fingerprint of the source that decides how each kernel and the solvers run on each backend: the backend's file
# of the kernel and, once each, every file of ours that it names in quotes, includes and device code alike.
# bench/catalog/source_hash.hpp declares what it defines.

cmake_minimum_required(VERSION 3.21)

# What only tells of kernels and methods and cannot make one run otherwise: a new comment there must not cost a tuned table
# its validity. What these files name in turn counts like all else.
set(descriptions kernels/core/cost.hpp kernels/core/method.hpp kernels/core/source_place.hpp kernels/backends/timed_problem.hpp)

# Adds to `found` the file, relative to ROOT, and what it names.
function(collect file found)
  if(file IN_LIST ${found})
    return()
  endif()
  list(APPEND ${found} ${file})
  file(READ "${ROOT}/${file}" text)
  string(REGEX MATCHALL "\"(kernels|solvers)/[a-z0-9_/]+\\.(hpp|cuh|cu)\"" names "${text}")
  foreach(name IN LISTS names)
    string(REPLACE "\"" "" name "${name}")
    if(EXISTS "${ROOT}/${name}")
      collect(${name} ${found})
    endif()
  endforeach()
  set(${found} ${${found}} PARENT_SCOPE)
endfunction()

function(fingerprint result)
  set(files "")
  foreach(file IN LISTS ARGN)
    collect(${file} files)
  endforeach()
  list(REMOVE_ITEM files ${descriptions})
  list(SORT files)
  set(hashes "")
  foreach(file IN LISTS files)
    file(SHA256 "${ROOT}/${file}" hash)
    string(APPEND hashes "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${hashes}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

set(entries "")
file(GLOB solver_files RELATIVE ${ROOT} ${ROOT}/solvers/*/*.cpp)
foreach(backend cpu kokkos cuda)
  file(GLOB kernel_files RELATIVE ${ROOT} ${ROOT}/kernels/*/*_${backend}.cpp)
  foreach(file IN LISTS kernel_files)
    get_filename_component(folder ${file} DIRECTORY)
    fingerprint(hash ${file})
    string(APPEND entries "    {\"${folder}\", \"${backend}\", \"${hash}\"},\n")
  endforeach()
  fingerprint(hash ${solver_files} ${kernel_files})
  string(APPEND entries "    {\"solvers\", \"${backend}\", \"${hash}\"},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Written by cmake/source_hashes.cmake.
#include \"bench/catalog/source_hash.hpp\"

namespace cfdmark {

const std::vector<SourceHash>& source_hashes() {
  static const std::vector<SourceHash> hashes = {
${entries}  };
  return hashes;
}

}  // namespace cfdmark
")
