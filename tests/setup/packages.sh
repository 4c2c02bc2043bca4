#!/usr/bin/env bash
# What the set-up installs, and when it leaves the machine alone.
# shellcheck source-path=SCRIPTDIR disable=SC2016,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

claim_a_machine_that_has_everything_is_left_alone() {
  run scripts/test
  expect_no_call '^(apt-get|sudo)'
  expect_call '^cmake --preset release'
}

claim_only_what_is_missing_is_installed() {
  missing libyaml-cpp-dev
  missing catch2
  run scripts/test
  expect_call '^apt-get .*install libyaml-cpp-dev catch2$'
  expect_no_call '^sudo'
}

claim_tools_may_come_from_elsewhere_and_are_installed_only_if_there_are_none() {
  rm "$machine"/bin/{c++,cmake,ninja}
  run scripts/test
  expect_call '^apt-get .*install g\+\+ cmake ninja-build$'
}

claim_where_make_is_installed_ninja_is_added_if_possible() {
  rm "$machine"/bin/ninja
  fake make 'exit 1'
  run scripts/test
  expect_call '^apt-get .*install ninja-build$'
  fake_logged apt-get 'exit 100'
  run scripts/test
  expect_status 0
  expect_says 'without ninja-build the build uses make'
  expect_call '^cmake --preset release'
}

claim_python_packages_are_installed_if_no_python_has_them() {
  fake python 'exit 1'
  run scripts/test
  expect_call '^apt-get .*install python3-matplotlib python3-jinja2 python3-rich python3-ruamel.yaml python3-fastjsonschema$'
}

claim_the_library_of_the_pages_is_installed_if_it_is_missing() {
  missing node-d3-selection
  run scripts/test
  expect_call '^apt-get .*install node-d3-selection$'
}

claim_without_the_library_of_the_pages_all_is_built_and_it_is_said() {
  fake_logged apt-get 'echo "E: Unable to locate package"; exit 100'
  missing node-d3-selection
  run scripts/test
  expect_status 0
  expect_says 'without node-d3-selection reports can be read, but not sorted or filtered'
  expect_call '^cmake --preset release'
}

claim_the_optimisers_are_installed_if_possible() {
  missing libpagmo-dev
  run scripts/test
  expect_call '^apt-get .*install libpagmo-dev$'
  fake_logged apt-get 'echo "E: Unable to locate package"; exit 100'
  run scripts/test
  expect_status 0
  expect_says 'without libpagmo-dev, cfdmark shape cannot search'
}

claim_a_library_of_the_pages_from_elsewhere_will_do() {
  missing node-d3-selection
  variables+=("CFDMARK_D3_SELECTION=/opt/d3-selection")
  run scripts/test
  expect_no_call '^apt-get'
}

claim_an_mpi_is_installed_if_there_is_none_and_can_be_done_without() {
  missing libopenmpi-dev
  run scripts/test
  expect_call '^apt-get .*install libopenmpi-dev$'
  fake_logged apt-get 'exit 100'
  run scripts/test
  expect_status 0
  expect_says 'without libopenmpi-dev ranks can be threads, but not processes'
  expect_call '^cmake --preset release'
}

claim_an_mpi_from_elsewhere_will_do() {
  missing libopenmpi-dev
  missing openmpi-bin
  fake mpicc 'exit 1'
  fake mpirun 'exit 1'
  run scripts/test
  expect_no_call '^apt-get'
}

claim_sudo_is_used_by_a_user_who_is_not_root() {
  echo 1000 >"$machine/uid"
  missing libfmt-dev
  run scripts/test
  expect_call '^sudo '
  expect_call '^apt-get .*install libfmt-dev$'
}

claim_sudo_is_not_used_if_nothing_is_missing() {
  echo 1000 >"$machine/uid"
  run scripts/test
  expect_no_call '^sudo'
}

claim_without_sudo_the_message_has_the_command_for_an_administrator() {
  echo 1000 >"$machine/uid"
  rm "$machine/bin/sudo"
  missing libfmt-dev
  run scripts/test
  expect_status 1
  expect_says 'there is no sudo here'
  expect_says 'apt-get install libfmt-dev'
  expect_no_call '^(apt-get|cmake)'
}

claim_a_failed_installation_shows_the_words_of_the_package_manager_and_builds_nothing() {
  fake_logged apt-get 'echo "E: Could not resolve the mirror"; exit 100'
  missing libfmt-dev
  run scripts/test
  expect_status 1
  expect_says 'E: Could not resolve the mirror'
  expect_says 'nothing can be built: libfmt-dev'
  expect_no_call '^cmake'
}

claim_an_update_that_fails_does_not_stop_an_installation_that_works() {
  fake_logged apt-get '[[ $* != *update* ]]'
  missing libfmt-dev
  run scripts/test
  expect_call '^cmake --preset release'
}

claim_another_system_is_told_what_is_needed_and_the_way_by_hand() {
  rm "$machine"/bin/{apt-get,dpkg-query}
  run scripts/bench
  expect_status 1
  expect_says 'Google Benchmark'
  expect_says 'cmake --preset release'
  expect_no_call '^cmake'
}

claim_another_system_builds_with_no_install() {
  rm "$machine"/bin/{apt-get,dpkg-query}
  run scripts/test --no-install
  expect_call '^cmake --preset release'
}

claim_no_install_leaves_a_bare_machine_alone() {
  : >"$machine/installed"
  variables=()
  run scripts/test --no-install
  expect_no_call '^(apt-get|sudo)'
}

check_claims
