# Finds a Kokkos, 3.4 or newer, with whatever devices it was built with.
#
#   CFDMARK_KOKKOS          AUTO (take it if it is there), ON (fail without it), OFF
#   CFDMARK_HAVE_KOKKOS     whether there is one
#   CFDMARK_KOKKOS_REASON   why there is none, for the rows of the catalog
#   cfdmark_kokkos          the target to link; its headers are system headers
#
# Searched in this order: Kokkos_ROOT and CMAKE_PREFIX_PATH, then the one that scripts/setup/kokkos.sh built for this
# compiler, then the system. So Trilinos' Kokkos, which has no OpenMP, never shadows a better one.

set(CFDMARK_KOKKOS AUTO CACHE STRING "Kokkos backend: AUTO, ON or OFF")
set_property(CACHE CFDMARK_KOKKOS PROPERTY STRINGS AUTO ON OFF)

# Kokkos built once for this compiler, in the user's cache.
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

set(CFDMARK_HAVE_KOKKOS FALSE)
set(CFDMARK_KOKKOS_REASON "")
if(NOT CFDMARK_KOKKOS)
  set(CFDMARK_KOKKOS_REASON "switched off when this program was built (CFDMARK_KOKKOS=OFF)")
else()
  cfdmark_kokkos_of_set_up(builds)
  # A build directory may remember the system's Kokkos from before the set-up built one.
  if(builds AND Kokkos_DIR MATCHES "^/usr/lib")
    unset(Kokkos_DIR CACHE)
  endif()
  find_package(Kokkos QUIET HINTS ${builds})  # no version here: Kokkos accepts a request for its own major one only
  if(NOT Kokkos_FOUND)
    set(CFDMARK_KOKKOS_REASON "no Kokkos was found when this program was built")
  elseif(Kokkos_VERSION VERSION_LESS 3.4)
    set(CFDMARK_KOKKOS_REASON "Kokkos ${Kokkos_VERSION}, found when this program was built, is older than 3.4")
  else()
    set(CFDMARK_HAVE_KOKKOS TRUE)
  endif()
endif()

if(CFDMARK_HAVE_KOKKOS)
  if(Kokkos_VERSION VERSION_LESS 4)
    cfdmark_fix_kokkos_include_directory()
  endif()
  add_library(cfdmark_kokkos INTERFACE)
  target_link_libraries(cfdmark_kokkos INTERFACE Kokkos::kokkos)
  list(JOIN Kokkos_DEVICES ", " devices)
  message(STATUS "Kokkos ${Kokkos_VERSION} with ${devices}: ${Kokkos_DIR}")
elseif(CFDMARK_KOKKOS STREQUAL "ON")
  message(FATAL_ERROR "CFDMARK_KOKKOS=ON, but ${CFDMARK_KOKKOS_REASON}: set Kokkos_ROOT to where one is installed")
else()
  message(STATUS "Kokkos: ${CFDMARK_KOKKOS_REASON}")
endif()
