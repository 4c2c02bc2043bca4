# Generates the list of the families of solvers: those named in `families`, and one per folder in CFDMARK_FAMILIES.
# Sets family_sources, the files of the latter, and the properties that the fingerprints need.
set(family_headers "")
set(family_calls "")
foreach(name IN LISTS families)
  string(APPEND family_headers "#include \"solvers/${name}/family.hpp\"\n")
  list(APPEND family_calls "${name}_family()")
endforeach()

set(family_sources "")
set(family_files "")
set(family_folders "")
foreach(folder IN LISTS CFDMARK_FAMILIES)
  get_filename_component(folder ${folder} ABSOLUTE BASE_DIR ${CMAKE_BINARY_DIR})
  get_filename_component(name ${folder} NAME)
  if(NOT name MATCHES "^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
    message(FATAL_ERROR "CFDMARK_FAMILIES: invalid family name '${name}' (${folder}): use a name such as heat_pipes")
  endif()
  if(name IN_LIST families)
    message(FATAL_ERROR "CFDMARK_FAMILIES: family ${name} already exists: rename ${folder}")
  endif()
  if(NOT EXISTS ${folder}/family.hpp)
    message(FATAL_ERROR "CFDMARK_FAMILIES: ${folder} has no family.hpp, which declares `Family ${name}_family()`")
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(APPEND family_sources ${files})
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.[ch]pp)
  list(APPEND family_files ${files})
  list(APPEND family_folders ${folder})
  string(APPEND family_headers "#include \"${folder}/family.hpp\"\n")
  list(APPEND family_calls "${name}_family()")
  message(STATUS "cfdmark: family of solvers ${name} from ${folder}")
endforeach()

list(JOIN family_folders "|" family_folders)
set_property(GLOBAL PROPERTY CFDMARK_USER_FAMILIES "${family_folders}")
set_property(GLOBAL PROPERTY CFDMARK_USER_FAMILY_FILES ${family_files})
list(JOIN family_calls ", " family_calls)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/families.hpp CONTENT
"// Written by solvers/families.cmake.
#pragma once

${family_headers}
namespace cfdmark {

inline std::vector<Family> make_families() { return {${family_calls}}; }

}  // namespace cfdmark
")
