# Run at every build by cfdmark_write_build_info: fills build_info.cpp.in from facts.cmake and the state of
# git.
include(${folder}/facts.cmake)
string(REGEX REPLACE " -W[^ ]*" "" flags " ${flags}")  # warnings do not change code
string(REGEX REPLACE " +" " " flags "${flags}")
string(STRIP "${flags}" flags)

# Sources of the program, relative to the source folder; an external kernel is a folder of its own.
set(rooms CMakeLists.txt cmake kernels solvers tuning bench)

# Returns the source files of a folder, or of some of its subfolders. Names starting with a dot belong to
# editors.
function(sources_of folder result)
  set(files "")
  set(patterns "")
  foreach(room IN LISTS ARGN)
    if(EXISTS ${folder}/${room} AND NOT IS_DIRECTORY ${folder}/${room})
      list(APPEND files ${room})
      continue()
    endif()
    foreach(kind cpp hpp cu cuh txt cmake in json)
      list(APPEND patterns ${folder}/${room}/*.${kind})
    endforeach()
  endforeach()
  file(GLOB_RECURSE found RELATIVE ${folder} ${patterns})
  list(FILTER found EXCLUDE REGEX "(^|/)\\.")
  set(${result} ${files} ${found} PARENT_SCOPE)
endfunction()

# Appends names and hashes of the files to `text`. Absolute paths are omitted, so that every clone gets the
# same result.
function(add_hashes text name folder)
  foreach(file IN LISTS ARGN)
    file(SHA256 ${folder}/${file} hash)
    string(APPEND ${text} "${name}/${file} ${hash}\n")
  endforeach()
  set(${text} "${${text}}" PARENT_SCOPE)
endfunction()

function(git folder result_variable output_variable)
  execute_process(COMMAND git -C ${folder} --no-optional-locks ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result_variable} "${result}" PARENT_SCOPE)
  set(${output_variable} "${output}" PARENT_SCOPE)
endfunction()

# Sets `dirty` if files are not in the commit of the folder's repository, or differ from it.
function(look_for_changes folder rooms)
  git(${folder} unknown_files listed ls-files --error-unmatch -- ${ARGN})
  git(${folder} failed changes status --porcelain --untracked-files=no -- ${rooms})
  if(unknown_files OR failed OR changes)
    set(dirty true PARENT_SCOPE)
  endif()
endfunction()

# Reads a fact about the first processor of the build machine, which -march=native refers to. It is not part
# of the fingerprint; the instruction set is.
function(read_build_host key_of_x86 key_of_arm result)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS /proc/cpuinfo)
    return()
  endif()
  foreach(key IN ITEMS "${key_of_x86}" "${key_of_arm}")
    file(STRINGS /proc/cpuinfo line LIMIT_COUNT 1 REGEX "^${key}[ \t]*:")
    if(line)
      string(REGEX REPLACE "^[^:]*:[ \t]*" "" line "${line}")
      string(REGEX REPLACE "[\"\\\\]" "" line "${line}")
      set(${result} "${line}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

read_build_host("vendor_id" "CPU implementer" build_host_vendor)
read_build_host("cpu family" "CPU architecture" build_host_family)
read_build_host("model" "CPU part" build_host_model)
read_build_host("model name" "-" build_host_name)

set(built_from "${compiler}\n${build_type}\n${flags}\n${instruction_set}\n${parts}\n")
sources_of(${source_folder} sources ${rooms})
add_hashes(built_from "" ${source_folder} ${sources})

# The commit is used only if this tree is the top of its repository, not if it was unpacked into another one.
set(commit "")
set(dirty false)
git(${source_folder} outside folder_in_repository rev-parse --show-prefix)
if(NOT outside AND folder_in_repository STREQUAL "")
  git(${source_folder} unborn commit rev-parse --verify --quiet HEAD)
endif()
if(commit)
  look_for_changes(${source_folder} "${rooms}" ${sources})
endif()

string(REPLACE "|" ";" user_kernels "${user_kernels}")
foreach(kernel IN LISTS user_kernels)
  get_filename_component(name ${kernel} NAME)
  sources_of(${kernel} sources .)
  add_hashes(built_from ${name} ${kernel} ${sources})
  look_for_changes(${kernel} . ${sources})
endforeach()

string(SHA256 fingerprint "${built_from}")
string(SUBSTRING ${fingerprint} 0 16 fingerprint)
configure_file(${template} ${folder}/build_info.cpp @ONLY)
