# Finds Kokkos 3.4 or newer, with any devices. The target to link is Kokkos::kokkos.
#
# Search order: Kokkos_ROOT and CMAKE_PREFIX_PATH, then the Kokkos that scripts/setup/kokkos.sh built for this
# compiler, then the system. So Trilinos' Kokkos, which lacks OpenMP, does not shadow a better one.

# Returns the installations of Kokkos in the user's cache for this compiler.
function(cfdmark_kokkos_of_set_up result)
  set(cache "$ENV{XDG_CACHE_HOME}")
  if(NOT cache)
    set(cache "$ENV{HOME}/.cache")
  endif()
  file(GLOB builds "${cache}/cfdmark/kokkos-*-openmp-${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}")
  list(SORT builds COMPARE NATURAL ORDER DESCENDING)
  set(${result} "${builds}" PARENT_SCOPE)
endfunction()

# The Trilinos packages of Debian and Ubuntu export an include directory that they do not install.
function(cfdmark_fix_kokkos_include_directory)
  get_target_property(directory Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(directory AND NOT EXISTS "${directory}")
    set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}")
  endif()
endfunction()

set(kokkos "Kokkos 3.4 or newer")
if(NOT CFDMARK_KOKKOS STREQUAL "OFF")
  cfdmark_kokkos_of_set_up(builds)
  # The CMake cache may contain the system's Kokkos from before the set-up built one.
  if(builds AND Kokkos_DIR MATCHES "^/usr/lib")
    unset(Kokkos_DIR CACHE)
  endif()
  # No version, since Kokkos accepts requests for its own major version only.
  find_package(Kokkos QUIET HINTS ${builds})
endif()
if(Kokkos_FOUND AND Kokkos_VERSION VERSION_GREATER_EQUAL 3.4)
  set(kokkos_is_new_enough TRUE)
  list(JOIN Kokkos_DEVICES " and " devices)
  set(kokkos "Kokkos ${Kokkos_VERSION} with ${devices}")
  if(Kokkos_VERSION VERSION_LESS 4)
    cfdmark_fix_kokkos_include_directory()
  endif()
endif()
cfdmark_optional(KOKKOS "${kokkos_is_new_enough}" "${kokkos}")
