# cmake -DROOT=<dir> -DOUTPUT=<file.cpp> [-DUSER_KERNELS=<dir|dir>] [-DUSER_FAMILIES=<dir|dir>] -P source_hashes.cmake
# Writes a fingerprint for each kernel and each solver file, per backend. It covers the code of all files
# reachable from there, without comments. bench/catalog/source_hash.hpp declares the result;
# docs/decisions/037-fingerprints.md says why the compiler's depfiles are not used.

cmake_minimum_required(VERSION 3.21)
string(REPLACE "|" ";" user_kernels "${USER_KERNELS}")
string(REPLACE "|" ";" user_families "${USER_FAMILIES}")

# Files that only describe kernels and methods and cannot change how one runs, so that they do not invalidate
# tuned tables. Files that they include do count. A kernel's NAME.cpp is such a description, too.
set(descriptions kernels/core/cost.hpp kernels/core/method.hpp kernels/core/source_place.hpp
    kernels/cells/timed_problem.hpp kernels/cells/cell_kernel.hpp kernels/device/built.hpp)

file(GLOB kernel_folders RELATIVE ${ROOT} ${ROOT}/kernels/*)
list(FILTER kernel_folders EXCLUDE REGEX "/(core|device|cells|mesh|ranks)$|\\.")
file(GLOB_RECURSE unread RELATIVE ${ROOT}
  ${ROOT}/kernels/*.[ch]pp ${ROOT}/kernels/*.cu* ${ROOT}/solvers/*.[ch]pp)
set(roots ${ROOT})
foreach(path IN LISTS user_kernels)
  get_filename_component(root ${path} DIRECTORY)
  get_filename_component(folder ${path} NAME)
  file(GLOB files RELATIVE ${root} ${path}/*.[ch]pp)
  list(APPEND roots ${root})
  list(APPEND kernel_folders ${folder})
  list(APPEND unread ${files})
endforeach()
foreach(path IN LISTS user_families)
  get_filename_component(root ${path} DIRECTORY)
  file(GLOB files RELATIVE ${root} ${path}/*.[ch]pp)
  list(APPEND roots ${root})
  list(APPEND unread ${files})
endforeach()

# Reads each file once. Sets
#   line_FILE             its name and the hash of its code
#   names_FILE            the files that it names in quotes: its includes, and the .cu files of a plan
#   folder_FILE           its folder, if that is a kernel's
#   files_FOLDER_BACKEND  the files of a kernel's folder that run on a backend
while(unread)
  list(POP_FRONT unread file)
  unset(path)
  find_file(path ${file} PATHS ${roots} NO_DEFAULT_PATH NO_CACHE)
  if(DEFINED line_${file} OR NOT path)
    continue()
  endif()
  file(READ ${path} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "[ \t]*\n[ \t\n]*" "\n" text "${text}")  # remains of comments and blank lines
  string(SHA256 hash "${text}")
  set(line_${file} "${file} ${hash}\n")
  string(REGEX MATCHALL "\"[a-z0-9_]+/[a-z0-9_/]+\\.(hpp|cuh|cu)\"" names "${text}")
  string(REPLACE "\"" "" names_${file} "${names}")
  list(APPEND unread ${names_${file}})

  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  if(NOT folder IN_LIST kernel_folders OR file STREQUAL "${folder}/${name}.cpp")
    continue()
  endif()
  set(folder_${file} ${folder})
  set(backends "")
  if(file MATCHES "\\.hpp$")
    set(backends cpu kokkos cuda)
  elseif(file MATCHES "_(kokkos|cuda)\\.cpp$")
    set(backends ${CMAKE_MATCH_1})
  elseif(file MATCHES "\\.cpp$")
    set(backends cpu)
  endif()
  foreach(backend IN LISTS backends)
    list(APPEND files_${folder}_${backend} ${file})
    if(text MATCHES "CellDescription<")
      list(APPEND files_${folder}_${backend} kernels/cells/${backend}/cells_${backend}.hpp)
    endif()
  endforeach()
  if(text MATCHES "CellDescription<")
    list(APPEND files_${folder}_cuda kernels/cells/cuda/cells.cuh)
  endif()
endwhile()

# add_fingerprints(NAME FILE...): appends to `entries`, for each backend, the hash of the files and of all
# files reachable from them. A file of a kernel's folder reaches the kernel's files for that backend.
set(entries "")
function(add_fingerprints name)
  foreach(backend cpu kokkos cuda)
    set(reached "")
    set(step ${ARGN} ${files_${name}_${backend}})
    while(step)
      list(REMOVE_DUPLICATES step)
      list(REMOVE_ITEM step "" ${reached})
      list(APPEND reached ${step})
      set(next "")
      foreach(file IN LISTS step)
        list(APPEND next ${names_${file}} ${files_${folder_${file}}_${backend}})
      endforeach()
      set(step ${next})
    endwhile()
    list(REMOVE_ITEM reached ${descriptions})
    list(SORT reached)
    set(lines "")
    foreach(file IN LISTS reached)
      string(APPEND lines "${line_${file}}")
    endforeach()
    string(SHA256 hash "${lines}")
    string(SUBSTRING ${hash} 0 16 hash)
    string(APPEND entries "    {\"${name}\", \"${backend}\", \"${hash}\"},\n")
  endforeach()
  set(entries "${entries}" PARENT_SCOPE)
endfunction()

foreach(folder IN LISTS kernel_folders)
  add_fingerprints(${folder})
endforeach()
# Files that every solver uses.
file(GLOB of_all_solvers RELATIVE ${ROOT} ${ROOT}/solvers/base/*.cpp)
list(APPEND of_all_solvers solvers/linear/system/system.cpp solvers/linear/refinement.cpp)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/solvers/linear/*.cpp)
foreach(file IN LISTS files)
  add_fingerprints(${file} ${file} ${of_all_solvers})
endforeach()
file(GLOB files RELATIVE ${ROOT} ${ROOT}/solvers/block/*.cpp)
foreach(file IN LISTS files)
  add_fingerprints(${file} ${files} ${of_all_solvers})
endforeach()
file(GLOB files RELATIVE ${ROOT} ${ROOT}/solvers/mesh_flow/*.cpp)
foreach(file IN LISTS files)
  add_fingerprints(${file} ${files} ${of_all_solvers})
endforeach()
# Files that every flow solver uses: all of solvers/flow except the solvers and their table, and the linear
# solvers that solve inner systems (solvers/flow/coupling.cpp).
file(GLOB files RELATIVE ${ROOT} ${ROOT}/solvers/flow/*.cpp)
set(of_all_flows solvers/linear/krylov/cg.cpp solvers/linear/stationary/sor.cpp)
foreach(file IN LISTS files)
  file(STRINGS ${ROOT}/${file} describes_solver REGEX "^FlowSolverDescription [a-z_]+_solver\\(\\) {")
  if(NOT describes_solver AND NOT file STREQUAL solvers/flow/table.cpp)
    list(APPEND of_all_flows ${file})
  endif()
endforeach()
foreach(file IN LISTS files)
  add_fingerprints(${file} ${file} ${of_all_flows} ${of_all_solvers})
endforeach()

# Problems, which are made on the host: a file each, and the files that they share.
file(GLOB files RELATIVE ${ROOT} ${ROOT}/solvers/problems/*.cpp)
set(of_all_problems "")
set(problems "")
foreach(file IN LISTS files)
  file(STRINGS ${ROOT}/${file} describes_problem REGEX "^(Flow)?ProblemDescription [a-z_0-9]+_problem\\(\\) {")
  if(describes_problem)
    list(APPEND problems ${file})
  else()
    list(APPEND of_all_problems ${file})
  endif()
endforeach()
foreach(file IN LISTS problems)
  add_fingerprints(${file} ${file} ${of_all_problems})
endforeach()

foreach(path IN LISTS user_families)
  get_filename_component(root ${path} DIRECTORY)
  get_filename_component(name ${path} NAME)
  file(GLOB files RELATIVE ${root} ${path}/*.[ch]pp)
  add_fingerprints(${name} ${files} ${of_all_solvers})
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
