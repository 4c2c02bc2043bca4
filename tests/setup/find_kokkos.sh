#!/usr/bin/env bash
# Which Kokkos cmake/kokkos.cmake takes, and what it says. The Kokkoses are config files without a library.
# shellcheck source-path=SCRIPTDIR disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

compiler=GNU-12.2.0

# a_kokkos PREFIX VERSION [INCLUDE_DIRECTORY]
a_kokkos() {
  local config=$machine/$1/lib/cmake/Kokkos include=${3:-$machine/$1/include}
  mkdir -p "$config" "$machine/$1/include"
  cat >"$config/KokkosConfig.cmake" <<TEXT
set(Kokkos_DEVICES OPENMP SERIAL)
set(Kokkos_INCLUDE_DIRS "$machine/$1/include")
add_library(Kokkos::kokkos INTERFACE IMPORTED)
set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$include")
TEXT
  # As the real one: compatible only with requests for its own major version.
  cat >"$config/KokkosConfigVersion.cmake" <<TEXT
set(PACKAGE_VERSION $2)
if(PACKAGE_FIND_VERSION_MAJOR STREQUAL "" OR PACKAGE_VERSION MATCHES "^\${PACKAGE_FIND_VERSION_MAJOR}[.]")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
TEXT
}

set_up_built() { a_kokkos "home/.cache/cfdmark/kokkos-$1-openmp-${2:-$compiler}" "$1"; }

# configure [ARGUMENT...]: a project without languages, on a system without a Kokkos of its own.
configure() {
  mkdir -p "$machine/project"
  cat >"$machine/project/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.21)
project(uses_kokkos LANGUAGES NONE)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
set(CMAKE_CXX_COMPILER_ID ${compiler%-*})
set(CMAKE_CXX_COMPILER_VERSION ${compiler#*-})
include("$repository/cmake/options.cmake")
include("$repository/cmake/kokkos.cmake")
message(STATUS "have=\${CFDMARK_HAVE_KOKKOS} version=\${Kokkos_VERSION}")
if(TARGET Kokkos::kokkos)
  get_target_property(include Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  message(STATUS "include=\${include}")
endif()
TEXT
  status=0
  output=$(env -u Kokkos_ROOT -u Kokkos_DIR -u CMAKE_PREFIX_PATH -u XDG_CACHE_HOME HOME="$machine/home" \
    cmake -S "$machine/project" -B "$machine/project/build" "$@" 2>&1) || status=$?
}

claim_the_one_that_the_set_up_built_is_found_without_being_named() {
  set_up_built 3.4.01
  configure
  expect_says 'have=1 version=3.4.01'
  expect_says 'Kokkos 3.4.01 with OPENMP and SERIAL'
}

claim_one_that_was_built_by_another_compiler_is_not_taken() {
  set_up_built 3.4.01 GNU-11.4.0
  configure
  expect_says 'have=0'
}

claim_the_users_choice_wins_over_the_set_up() {
  set_up_built 3.4.01
  a_kokkos 'my kokkos' 4.7.1
  configure "-DKokkos_ROOT=$machine/my kokkos"
  expect_says 'version=4.7.1'
  rm -r "$machine/project/build"
  configure "-DCMAKE_PREFIX_PATH=$machine/my kokkos"
  expect_says 'version=4.7.1'
}

claim_every_version_from_3_4_to_5_is_taken() {
  local version
  for version in 3.4.01 3.7.01 4.5.1 5.2.0; do
    a_kokkos "kokkos-$version" "$version"
    configure "-DKokkos_ROOT=$machine/kokkos-$version" -UKokkos_DIR
    expect_says "have=1 version=$version"
  done
}

claim_a_version_before_3_4_is_refused() {
  a_kokkos old 3.2.0
  configure "-DKokkos_ROOT=$machine/old"
  expect_says 'have=0'
  expect_says 'Kokkos 3.4 or newer: not found'
}

claim_an_include_directory_that_is_not_there_is_replaced() {
  a_kokkos trilinos 3.4.01 /nowhere/include
  configure "-DKokkos_ROOT=$machine/trilinos"
  expect_says "include=$machine/trilinos/include"
}

claim_an_include_directory_that_is_there_is_left_alone() {
  mkdir "$machine/headers"
  a_kokkos sound 3.4.01 "$machine/headers"
  configure "-DKokkos_ROOT=$machine/sound"
  expect_says "include=$machine/headers"
}

claim_off_leaves_it_out_and_says_so() {
  set_up_built 3.4.01
  configure -DCFDMARK_KOKKOS=OFF
  expect_status 0
  expect_says 'have=0'
  expect_says 'CFDMARK_KOKKOS=OFF'
}

claim_on_fails_if_there_is_none() {
  configure -DCFDMARK_KOKKOS=ON
  expect_status 1
  expect_says 'CFDMARK_KOKKOS=ON, but Kokkos 3.4 or newer was not found'
}

check_claims
