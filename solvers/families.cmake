# cfdmark_list_families(HEADER FOLDER...): writes the list of the families of solvers to HEADER: those of this folder,
# and one per FOLDER outside. Sets family_sources, the .cpp files of the latter, and family_files, with their headers.
function(cfdmark_list_families header)
  # One folder per family; each has a family.hpp that declares `Family NAME_family()`.
  set(names linear flow block mesh mesh_flow matrix)
  set(headers "")
  set(calls "")
  foreach(name IN LISTS names)
    string(APPEND headers "#include \"solvers/${name}/family.hpp\"\n")
    list(APPEND calls "${name}_family()")
  endforeach()
  set(sources "")
  set(all_files "")
  foreach(folder IN LISTS ARGN)
    get_filename_component(name ${folder} NAME)
    if(NOT name MATCHES "^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
      message(FATAL_ERROR "CFDMARK_FAMILIES: invalid family name '${name}' (${folder}): use a name such as heat_pipes")
    endif()
    if(name IN_LIST names)
      message(FATAL_ERROR "CFDMARK_FAMILIES: family ${name} already exists: rename ${folder}")
    endif()
    if(NOT EXISTS ${folder}/family.hpp)
      message(FATAL_ERROR "CFDMARK_FAMILIES: ${folder} has no family.hpp, which declares `Family ${name}_family()`")
    endif()
    list(APPEND names ${name})
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(APPEND sources ${files})
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.[ch]pp)
    list(APPEND all_files ${files})
    string(APPEND headers "#include \"${folder}/family.hpp\"\n")
    list(APPEND calls "${name}_family()")
  endforeach()
  list(JOIN calls ", " calls)
  file(CONFIGURE OUTPUT ${header} CONTENT
"// Written by solvers/families.cmake.
#pragma once

${headers}
namespace cfdmark {

inline std::vector<Family> make_families() { return {${calls}}; }

}  // namespace cfdmark
")
  set(family_sources "${sources}" PARENT_SCOPE)
  set(family_files "${all_files}" PARENT_SCOPE)
endfunction()
