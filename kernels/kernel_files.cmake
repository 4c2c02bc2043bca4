# Finds the files of every kernel and generates those with the plain methods. Sets
#   kernel_sources kokkos_kernel_sources cuda_kernel_sources openblas_kernel_sources    C++ of each part
#   cuda_sources         device code, as it is included: "kernels/smoothing/smoothing.cu", "generated/copy_cells.cu"
#   user_kernel_roots    folders of the device code of user kernels
#   user_kernel_headers  folder with a forwarding header per user kernel. Every target searches it, so that adding a
#                        kernel rebuilds only what includes its header

set(generated ${PROJECT_BINARY_DIR}/generated)
set(user_kernel_headers ${PROJECT_BINARY_DIR}/user_kernels)

# add_kernel_files(FOLDER ROOT): adds the files of a folder; names of device code are relative to ROOT.
function(add_kernel_files folder root)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
  foreach(file IN LISTS files)
    if(file MATCHES "_(kokkos|cuda|openblas)\\.cpp$")
      list(APPEND ${CMAKE_MATCH_1}_kernel_sources ${file})
    else()
      list(APPEND kernel_sources ${file})
    endif()
  endforeach()
  file(GLOB device_files RELATIVE ${root} CONFIGURE_DEPENDS ${folder}/*.cu)
  list(APPEND cuda_sources ${device_files})
  foreach(list kernel_sources kokkos_kernel_sources cuda_kernel_sources openblas_kernel_sources cuda_sources)
    set(${list} ${${list}} PARENT_SCOPE)
  endforeach()
endfunction()

# The forms of bodies: the type that describes one, the templates to instantiate, and the headers with the methods
# of hosts, of Kokkos and of CUDA.
set(form_cells CellDescription CellKernel KokkosCells kernels/cells/methods/cells.hpp
    kernels/cells/kokkos/cells_kokkos.hpp kernels/cells/cuda/cells.cuh)
set(form_mesh MeshDescription MeshKernel KokkosMesh kernels/cells/indexed/methods/mesh_methods.hpp
    kernels/cells/indexed/kokkos/mesh_kokkos.hpp kernels/cells/indexed/cuda/mesh.cuh)

# add_plain_methods(FORM NAME PATH HEADER): generates the plain methods of the kernels defined in HEADER, whose file is
# PATH. FORM: `cells`, or `mesh` for kernels on meshes. Adds their types to FORM_kernel_types.
function(add_plain_methods form name path header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  list(GET form_${form} 0 description)
  list(GET form_${form} 1 kernel)
  list(GET form_${form} 2 kokkos_kernel)
  list(GET form_${form} 3 methods_header)
  list(GET form_${form} 4 kokkos_header)
  list(GET form_${form} 5 device_header)
  file(READ ${path} text)
  string(REGEX MATCHALL "static ${description}<[A-Za-z0-9]+> description" types "${text}")
  list(TRANSFORM types REPLACE ".*<(.*)>.*" "\\1")
  if(NOT types)
    message(FATAL_ERROR "${path} defines no kernel: none of its types has a `static ${description}<TYPE> description();`")
  endif()
  set(methods "")
  set(kokkos_methods "")
  foreach(type IN LISTS types)
    string(APPEND methods "template struct cfdmark::${kernel}<cfdmark::${type}>;\n")
    string(APPEND kokkos_methods "template struct cfdmark::${kokkos_kernel}<cfdmark::${type}>;\n")
  endforeach()
  # Reductions of cells can be continued by ranks.
  if(form STREQUAL "cells" AND text MATCHES "using Reduction =")
    set(methods_header "kernels/cells/methods/row_parts.hpp\"\n#include \"${methods_header}")
    foreach(type IN LISTS types)
      string(APPEND methods "template struct cfdmark::RowPartsOf<cfdmark::${type}>;\n")
    endforeach()
  endif()
  # Kernels on meshes run on parts of ranks, in a file of their own.
  if(form STREQUAL "mesh")
    set(ranges "")
    foreach(type IN LISTS types)
      string(APPEND ranges "template cfdmark::ResultRange cfdmark::plain_range(const cfdmark::MeshArgs<cfdmark::${type}>&);\n")
    endforeach()
    file(CONFIGURE OUTPUT ${generated}/${name}_mesh_range.cpp CONTENT
"#include \"kernels/cells/indexed/ranks/plain_range_cpu.hpp\"
#include \"${header}\"

${ranges}")
    list(APPEND kernel_sources ${generated}/${name}_mesh_range.cpp)
  endif()
  file(CONFIGURE OUTPUT ${generated}/${name}_${form}.cpp CONTENT
"#include \"${methods_header}\"
#include \"${header}\"

${methods}")
  file(CONFIGURE OUTPUT ${generated}/${name}_${form}_kokkos.cpp CONTENT
"#include \"${kokkos_header}\"
#include \"${header}\"

${kokkos_methods}")
  file(CONFIGURE OUTPUT ${generated}/${name}_${form}.cu CONTENT
"#include \"${device_header}\"
#include \"${header}\"
")
  set(kernel_sources ${kernel_sources} ${generated}/${name}_${form}.cpp PARENT_SCOPE)
  set(kokkos_kernel_sources ${kokkos_kernel_sources} ${generated}/${name}_${form}_kokkos.cpp PARENT_SCOPE)
  set(cuda_sources ${cuda_sources} generated/${name}_${form}.cu PARENT_SCOPE)
  set(${form}_kernel_headers "${${form}_kernel_headers}#include \"${header}\"\n" PARENT_SCOPE)
  list(APPEND ${form}_kernel_types ${types})
  set(${form}_kernel_types ${${form}_kernel_types} PARENT_SCOPE)
endfunction()

# Checks that a user kernel's folder has the expected form. check_that_it_compiles() reports the first
# compiler error by kernel. Both run again when a file changes.
function(check_user_kernel folder name)
  if(NOT name MATCHES "^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
    message(FATAL_ERROR "CFDMARK_KERNELS: invalid kernel name '${name}' (${folder}): use a name such as nine_point")
  endif()
  if(name IN_LIST cell_kernels OR name IN_LIST mesh_kernels OR name IN_LIST other_kernels OR name IN_LIST user_kernels)
    message(FATAL_ERROR "CFDMARK_KERNELS: kernel ${name} already exists: rename ${folder}")
  endif()
  foreach(file ${name}.hpp ${name}.cpp)
    if(NOT EXISTS ${folder}/${file})
      message(FATAL_ERROR "CFDMARK_KERNELS: ${folder} has no ${file}; `cfdmark new-kernel ${name}` writes a template")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
  endforeach()
endfunction()
# forward_headers(ROOT NAME...): generates a forwarding header for each name below ROOT and for the headers it
# includes there.
function(forward_headers root)
  set(forwarded ${forwarded_headers})
  set(names ${ARGN})
  while(names)
    list(POP_FRONT names name)
    set(header ${root}/${name})
    if(name IN_LIST forwarded OR EXISTS ${PROJECT_SOURCE_DIR}/${name} OR NOT EXISTS ${header})
      continue()
    endif()
    list(APPEND forwarded ${name})
    file(CONFIGURE OUTPUT ${user_kernel_headers}/${name} CONTENT "#include \"${header}\"\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} lines REGEX "^#include \"")
    list(TRANSFORM lines REPLACE "^#include \"([^\"]+)\".*" "\\1")
    list(APPEND names ${lines})
  endwhile()
  set(forwarded_headers ${forwarded} PARENT_SCOPE)
endfunction()
function(remove_stale_headers)
  file(GLOB_RECURSE there RELATIVE ${user_kernel_headers} ${user_kernel_headers}/*)
  foreach(name IN LISTS there)
    if(NOT name IN_LIST forwarded_headers)
      file(REMOVE ${user_kernel_headers}/${name})
    endif()
  endforeach()
endfunction()
function(check_that_it_compiles folder name)
  set(includes -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR} -I${user_kernel_headers})
  foreach(file ${generated}/${name}_cells.cpp ${folder}/${name}.cpp)
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -fmax-errors=1 ${includes}
              -DCFDMARK_HAVE_KOKKOS=${CFDMARK_HAVE_KOKKOS} -DCFDMARK_HAVE_CUDA=${CFDMARK_HAVE_CUDA}
              -DCFDMARK_HAVE_OPENBLAS=${CFDMARK_HAVE_OPENBLAS} ${file}
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    if(failed)
      string(REGEX MATCH "[^\n]*error:[^\n]*" first "${said}")
      message(FATAL_ERROR "CFDMARK_KERNELS: the kernel ${name} (${folder}) does not compile:\n${first}\n\n${said}")
    endif()
  endforeach()
endfunction()

foreach(name IN LISTS cell_kernels mesh_kernels other_kernels device_code)
  add_kernel_files(${CMAKE_CURRENT_SOURCE_DIR}/${name} ${PROJECT_SOURCE_DIR})
endforeach()
foreach(name IN LISTS cell_kernels)
  add_plain_methods(cells ${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name}/${name}.hpp kernels/${name}/${name}.hpp)
endforeach()
foreach(name IN LISTS mesh_kernels)
  add_plain_methods(mesh ${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name}/${name}.hpp kernels/${name}/${name}.hpp)
endforeach()

set(user_kernels "")
set(forwarded_headers "")
file(MAKE_DIRECTORY ${user_kernel_headers})
foreach(folder IN LISTS CFDMARK_KERNELS)
  get_filename_component(folder ${folder} ABSOLUTE BASE_DIR ${CMAKE_BINARY_DIR})
  get_filename_component(name ${folder} NAME)
  get_filename_component(root ${folder} DIRECTORY)
  check_user_kernel(${folder} ${name})
  list(APPEND user_kernels ${name})
  list(APPEND user_kernel_folders ${folder})
  list(APPEND user_kernel_roots ${root})
  file(GLOB user_files CONFIGURE_DEPENDS ${folder}/*.hpp ${folder}/*.cu*)
  list(APPEND user_kernel_files ${user_files})
  file(GLOB user_headers RELATIVE ${root} ${folder}/*.hpp)
  forward_headers(${root} ${user_headers})
  add_kernel_files(${folder} ${root})
  add_plain_methods(cells ${name} ${folder}/${name}.hpp ${name}/${name}.hpp)
  # Options for precompiled headers of single files would change the flags of the whole target.
  file(GLOB user_files CONFIGURE_DEPENDS ${folder}/*.cpp)
  set_source_files_properties(${user_files} ${generated}/${name}_cells.cpp ${generated}/${name}_cells_kokkos.cpp
    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  check_that_it_compiles(${folder} ${name})
  message(STATUS "cfdmark: kernel ${name} from ${folder}")
endforeach()

remove_stale_headers()

list(JOIN user_kernel_folders "|" folders)
set_property(GLOBAL PROPERTY CFDMARK_USER_KERNELS "${folders}")
set_property(GLOBAL PROPERTY CFDMARK_USER_KERNEL_FILES ${user_kernel_files})

list(JOIN cells_kernel_types ", " types)
file(CONFIGURE OUTPUT ${generated}/cell_kernels.hpp CONTENT
"// Written by kernels/kernel_files.cmake.
#pragma once

${cells_kernel_headers}
namespace cfdmark {

template <class... K>
struct KernelTypes {};

// Every kernel with a cell body.
using CellKernels = KernelTypes<${types}>;

}  // namespace cfdmark
")

list(JOIN mesh_kernel_types ", " types)
file(CONFIGURE OUTPUT ${generated}/mesh_kernels.hpp CONTENT
"// Written by kernels/kernel_files.cmake.
#pragma once

#include \"kernels/cells/indexed/mesh_kernel.hpp\"
${mesh_kernel_headers}
namespace cfdmark {

template <class F, class... K>
void for_each_mesh_kernel_of(const F& f) {
  (f(MeshKernel<K>::kernel()), ...);
}
// Calls f with the MeshKernelDescription of each kernel on meshes.
template <class F>
void for_each_mesh_kernel(const F& f) {
  for_each_mesh_kernel_of<F, ${types}>(f);
}

}  // namespace cfdmark
")
