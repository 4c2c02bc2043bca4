# cmake -DROOT=<dir> -DOUTPUT=<file.cpp> [-DUSER_KERNELS=<dir|dir>] -P source_hashes.cmake
# Writes a fingerprint for each kernel and each solver file, per backend. It covers the code of all files
# reachable from there, without comments. bench/catalog/source_hash.hpp declares the result.

cmake_minimum_required(VERSION 3.21)
string(REPLACE "|" ";" user_kernels "${USER_KERNELS}")

# Files that only describe kernels and methods and cannot change how one runs, so that they do not invalidate
# tuned tables. Files that they include do count. A kernel's NAME.cpp is such a description, too.
set(descriptions kernels/core/cost.hpp kernels/core/method.hpp kernels/core/source_place.hpp kernels/cells/timed_problem.hpp
    kernels/cells/cell_kernel.hpp kernels/device/built.hpp)

# Returns the path of a file given as in an include directive.
function(find_file name result)
  set(${result} "" PARENT_SCOPE)
  foreach(root IN ITEMS ${ROOT} ${user_roots})
    if(EXISTS "${root}/${name}")
      set(${result} "${root}/${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Returns the files of a kernel's folder that run on a backend. The plans of cuda include the .cu files.
function(files_of_kernel folder backend result)
  find_file(${folder} path)
  get_filename_component(name ${folder} NAME)
  file(GLOB all RELATIVE ${path} ${path}/*.hpp ${path}/*.cpp)
  set(files "")
  foreach(file IN LISTS all)
    set(of_backend cpu)
    if(file MATCHES "_(kokkos|cuda)\\.cpp$")
      set(of_backend ${CMAKE_MATCH_1})
    endif()
    if(file MATCHES "\\.hpp$" OR (of_backend STREQUAL backend AND NOT file STREQUAL "${name}.cpp"))
      list(APPEND files ${folder}/${file})
    endif()
  endforeach()
  if(EXISTS ${path}/${name}.hpp)
    file(STRINGS ${path}/${name}.hpp says_its_cell REGEX "CellDescription<")
    if(says_its_cell)
      list(APPEND files kernels/cells/${backend}/cells_${backend}.hpp)
      if(backend STREQUAL cuda)
        list(APPEND files kernels/cells/cuda/cells.cuh)
      endif()
    endif()
  endif()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# Sets `hash` to the hash of a file's code, and `names` to the files reached directly on a backend: those
# named in quotes, and for each kernel named, its files for that backend. Results are cached.
function(know file backend hash names)
  get_property(known GLOBAL PROPERTY "${file} ${backend}" SET)
  if(NOT known)
    find_file(${file} path)
    file(READ "${path}" text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[ \t]*\n[ \t\n]*" "\n" text "${text}")  # remains of comments and blank lines
    string(SHA256 sha256 "${text}")
    string(REGEX MATCHALL "\"[a-z0-9_]+/[a-z0-9_/]+\\.(hpp|cuh|cu)\"" quoted "${text}")
    set(reached "")
    foreach(name IN LISTS quoted)
      string(REPLACE "\"" "" name "${name}")
      find_file(${name} exists)
      if(exists)
        list(APPEND reached ${name})
      endif()
      get_filename_component(folder ${name} DIRECTORY)
      if(folder IN_LIST kernel_folders)
        files_of_kernel(${folder} ${backend} of_folder)
        list(APPEND reached ${of_folder})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES reached)
    set_property(GLOBAL PROPERTY "${file} ${backend}" "${sha256};${reached}")
  endif()
  get_property(all GLOBAL PROPERTY "${file} ${backend}")
  list(POP_FRONT all sha256)
  set(${hash} ${sha256} PARENT_SCOPE)
  set(${names} ${all} PARENT_SCOPE)
endfunction()

# fingerprint(RESULT BACKEND FILE...): hash of the files and everything reachable from them.
function(fingerprint result backend)
  set(reached "")
  set(lines "")
  set(last_step ${ARGN})
  list(REMOVE_DUPLICATES last_step)
  while(last_step)
    list(APPEND reached ${last_step})
    set(next_step "")
    foreach(file IN LISTS last_step)
      know(${file} ${backend} hash names)
      list(APPEND next_step ${names})
      if(NOT file IN_LIST descriptions)
        list(APPEND lines "${file} ${hash}\n")
      endif()
    endforeach()
    list(REMOVE_DUPLICATES next_step)
    list(REMOVE_ITEM next_step ${reached})
    set(last_step ${next_step})
  endwhile()
  list(SORT lines)
  string(CONCAT hashes ${lines})
  string(SHA256 hash "${hashes}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

file(GLOB kernel_folders RELATIVE ${ROOT} ${ROOT}/kernels/*)
list(FILTER kernel_folders EXCLUDE REGEX "/(core|device|cells)$|\\.")
set(user_roots "")
foreach(folder IN LISTS user_kernels)
  get_filename_component(root ${folder} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  list(APPEND user_roots ${root})
  list(APPEND kernel_folders ${name})
endforeach()
file(GLOB_RECURSE solver_files RELATIVE ${ROOT} ${ROOT}/solvers/linear/*.cpp)
file(GLOB flow_files RELATIVE ${ROOT} ${ROOT}/solvers/flow/*.cpp)
# Files that every flow solver uses: all of solvers/flow except the solvers and their table, and the linear
# solvers that solve inner systems (solvers/flow/coupling.cpp).
set(of_all_flows solvers/linear/krylov/cg.cpp solvers/linear/stationary/sor.cpp)
foreach(file IN LISTS flow_files)
  file(STRINGS ${ROOT}/${file} describes_solver REGEX "^FlowSolverDescription [a-z_]+_solver\\(\\) {")
  if(NOT describes_solver AND NOT file STREQUAL solvers/flow/table.cpp)
    list(APPEND of_all_flows ${file})
  endif()
endforeach()
file(GLOB block_files RELATIVE ${ROOT} ${ROOT}/solvers/block/*.cpp)
# Files that every solver uses.
file(GLOB of_all_solvers RELATIVE ${ROOT} ${ROOT}/solvers/base/*.cpp)
list(APPEND of_all_solvers solvers/linear/system/system.cpp solvers/linear/refinement.cpp)

set(entries "")
foreach(backend cpu kokkos cuda)
  foreach(folder IN LISTS kernel_folders)
    files_of_kernel(${folder} ${backend} files)
    fingerprint(hash ${backend} ${files})
    string(APPEND entries "    {\"${folder}\", \"${backend}\", \"${hash}\"},\n")
  endforeach()
  foreach(file IN LISTS solver_files)
    fingerprint(hash ${backend} ${file} ${of_all_solvers})
    string(APPEND entries "    {\"${file}\", \"${backend}\", \"${hash}\"},\n")
  endforeach()
  foreach(file IN LISTS block_files)
    fingerprint(hash ${backend} ${file} ${block_files} ${of_all_solvers})
    string(APPEND entries "    {\"${file}\", \"${backend}\", \"${hash}\"},\n")
  endforeach()
  foreach(file IN LISTS flow_files)
    fingerprint(hash ${backend} ${file} ${of_all_flows} ${of_all_solvers})
    string(APPEND entries "    {\"${file}\", \"${backend}\", \"${hash}\"},\n")
  endforeach()
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
