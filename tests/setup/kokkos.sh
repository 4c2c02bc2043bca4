#!/usr/bin/env bash
# Where a Kokkos with OpenMP comes from. Real cmake and ninja or make, a package manager that serves a small source package.
# shellcheck source-path=SCRIPTDIR disable=SC2016,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

built=home/.cache/cfdmark/kokkos-3.4.01-openmp-GNU-12.2.0/lib/cmake/Kokkos/KokkosConfig.cmake

# As `trilinos` holds it: Kokkos in packages/kokkos, next to much else.
serve_trilinos() {
  local kokkos=$machine/tree/Trilinos-13/packages/kokkos
  mkdir -p "$kokkos" "$kokkos/../zoltan"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.10)' 'project(Kokkos NONE)' 'set(Kokkos_VERSION_MAJOR 3)' \
    'set(Kokkos_VERSION_MINOR 4)' 'set(Kokkos_VERSION_PATCH 01)' \
    'if(NOT Kokkos_ENABLE_OPENMP OR NOT Kokkos_ENABLE_SERIAL)' '  message(FATAL_ERROR "no devices")' 'endif()' \
    'install(FILES KokkosConfig.cmake DESTINATION lib/cmake/Kokkos)' >"$kokkos/CMakeLists.txt"
  touch "$kokkos/KokkosConfig.cmake" "$kokkos/../zoltan/large"
  tar -C "$machine/tree" -czf "$machine/trilinos_13.2.0.orig.tar.gz" Trilinos-13
  # Looks into the folder of sources that it was given, as the real one does.
  fake_logged apt-get 'for option; do
      [[ $option != Dir::Etc::sourceparts=* ]] || cp -r "${option#*=}" "$machine/sources"
    done
    [[ $* != *" source "* ]] || cp "$machine"/trilinos_* .'
}

# The presets of the clone are only written down; Kokkos is really configured, built and installed.
needs_kokkos() {
  variables=("CFDMARK_PYTHON=python")
  command -v ninja >/dev/null || variables+=("CMAKE_GENERATOR=Unix Makefiles")
  fake_logged cmake "[[ \$* == *--preset* ]] || PATH='$PATH' exec $(command -v cmake) \"\$@\""
}

claim_it_is_built_once_from_the_distributions_source_package() {
  needs_kokkos
  serve_trilinos
  run scripts/test
  expect_says 'building Kokkos with OpenMP, once'
  expect_file "$built"
  expect_call '^cmake --preset release'

  : >"$machine/calls"
  run scripts/test
  expect_no_call '^apt-get'
}

claim_the_build_leaves_nothing_else_behind_and_needs_no_root() {
  needs_kokkos
  serve_trilinos
  echo 1000 >"$machine/uid"
  run scripts/test
  expect_file "$built"
  expect_no_call '^sudo'
  [[ $(ls "$machine/home/.cache/cfdmark") == kokkos-3.4.01-openmp-GNU-12.2.0 ]] || complain 'nothing else in the cache'
}

claim_the_package_manager_works_on_copies_that_ask_for_sources_only() {
  needs_kokkos
  serve_trilinos
  run scripts/test
  expect_call '^apt-get .*Dir::Etc::sourcelist=/dev/null .*Dir::State::lists=.* update'
  if grep -rhE '^(deb[[:space:]]|Types:.*deb( |$))' "$machine/sources"; then complain 'binary packages were requested'; fi
}

claim_a_source_that_cannot_be_had_costs_kokkos_only() {
  needs_kokkos
  fake_logged apt-get 'echo "E: Unable to find a source package"; exit 100'
  run scripts/test
  expect_says 'E: Unable to find a source package'
  expect_says 'no Kokkos with OpenMP'
  expect_call '^cmake --preset release'
  expect_no_file "$built"
}

claim_a_build_that_fails_is_not_taken_for_a_finished_one() {
  needs_kokkos
  serve_trilinos
  fake_logged cmake '[[ $* != --build\ build* ]]'
  run scripts/test
  expect_says 'no Kokkos with OpenMP'
  [[ -z $(ls "$machine/home/.cache/cfdmark") ]] || complain 'an empty cache'
  expect_call '^cmake --preset release'
}

claim_a_packaged_kokkos_is_installed_instead() {
  needs_kokkos
  fake apt-cache 'echo "Package: libkokkos-dev"'
  run scripts/test
  expect_call '^apt-get .*install libkokkos-dev$'
  expect_no_call '^apt-get .* source '
}

claim_an_installed_kokkos_is_enough() {
  needs_kokkos
  echo libkokkos-dev >>"$machine/installed"
  run scripts/test
  expect_no_call '^apt-get'
}

claim_a_kokkos_chosen_by_the_user_is_enough() {
  needs_kokkos
  mkdir -p "$machine/my kokkos/lib/cmake/Kokkos"
  local chosen
  for chosen in Kokkos_ROOT=/opt/kokkos Kokkos_DIR=/opt/kokkos/lib/cmake/Kokkos \
    "CMAKE_PREFIX_PATH=/opt/nothing:$machine/my kokkos"; do
    variables=("CFDMARK_PYTHON=python" "$chosen")
    run scripts/test
    expect_no_call '^apt-get'
  done
}

check_claims
