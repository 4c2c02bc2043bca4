#!/usr/bin/env bash
# What ./scripts/bench, ./scripts/test and .ci/run do once everything is installed.
# shellcheck source-path=SCRIPTDIR disable=SC2016,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

# A cfdmark that appends a line to its records, and is stopped in between if a file `stop` says so.
install_cfdmark() {
  fake_logged cfdmark 'while (($#)); do
      case $1 in --output) records=$2 ;; --dry-run) exit 0 ;; esac
      shift
    done
    result="\"status\":\"ok\""
    [[ ! -e $machine/stop && ! -e $machine/no_result ]] || result=
    [[ -z ${records:-} ]] || echo "{$result}" >>"$records"
    [[ ! -e $machine/stop ]] || exit "$(cat "$machine/stop")"'
  mv "$machine/bin/cfdmark" "$machine/clone/build/release/"
}

lines_of() { grep -c '' "$machine/clone/out/$1"; }

claim_bench_builds_measures_the_quick_sweep_and_reports() {
  install_cfdmark
  run scripts/bench
  expect_status 0
  expect_call '^cmake --build --preset release --target cfdmark'
  expect_call '^cfdmark run sweeps/quick.yaml --output out/quick'
  [[ $(tail -n 1 "$machine/calls") == 'cfdmark report out/quick.jsonl' ]] || complain 'the report last'
}

claim_bench_passes_a_sweep_and_options_on() {
  install_cfdmark
  run scripts/bench sweeps/poisson.yaml --filter 'jacobi/*' --budget 2m
  expect_call '^cfdmark run sweeps/poisson.yaml --output .* --filter jacobi/\* --budget 2m$'
  expect_call '^cfdmark report out/poisson.jsonl$'
}

claim_bench_goes_on_with_a_run_that_was_stopped() {
  install_cfdmark
  echo 130 >"$machine/stop"
  run scripts/bench
  expect_status 130
  expect_no_call '^cfdmark report'
  rm "$machine/stop"
  run scripts/bench
  [[ $(lines_of quick.jsonl) == 2 ]] || complain 'the records of both halves in one file'
}

claim_bench_starts_afresh_after_a_complete_run_and_keeps_it() {
  install_cfdmark
  run scripts/bench
  run scripts/bench
  [[ $(lines_of quick.jsonl) == 1 ]] || complain 'only the new records'
  expect_file clone/out/quick.previous.jsonl
}

claim_bench_keeps_the_last_run_where_a_budget_left_cases_or_no_case_has_a_result() {
  install_cfdmark
  run scripts/bench
  local kept=$(<"$machine/clone/out/quick.jsonl")
  for stopped in 4 5; do
    echo "$stopped" >"$machine/stop"
    run scripts/bench --budget 1s
    expect_status "$stopped"
    run scripts/bench --budget 1s
    [[ $(<"$machine/clone/out/quick.jsonl") == "$kept" ]] || complain 'the last good run'
  done
  rm "$machine"/{stop,clone/out/quick.unfinished.jsonl}
  touch "$machine/no_result"
  run scripts/bench
  expect_status 1
  expect_says 'out/quick.jsonl is as it was'
  [[ $(<"$machine/clone/out/quick.jsonl") == "$kept" ]] || complain 'the last good run'
}

claim_no_install_counts_wherever_it_stands() {
  install_cfdmark
  missing catch2
  local words
  for words in '--dry-run --no-install' 'sweeps/quick.yaml --dry-run --no-install' '--no-install --dry-run'; do
    # shellcheck disable=SC2086
    run scripts/bench $words
    expect_status 0
  done
  run scripts/test -R stencil --no-install
  expect_call '^ctest --preset release -R stencil$'
  expect_no_call '^apt-get'
}

claim_a_dry_run_of_bench_touches_no_records() {
  install_cfdmark
  echo 130 >"$machine/stop"
  run scripts/bench
  run scripts/bench --dry-run
  expect_status 0
  expect_file clone/out/quick.unfinished.jsonl
  expect_no_file clone/out/quick.jsonl
  expect_no_call '^cfdmark report'
}

claim_a_build_that_fails_measures_nothing() {
  install_cfdmark
  fake_logged cmake '[[ $* != --build* ]]'
  run scripts/bench
  expect_status 1
  expect_no_call '^cfdmark'
}

claim_ninja_builds_where_it_is_installed_unless_the_user_chose_a_generator() {
  fake_logged cmake 'echo "generator: $CMAKE_GENERATOR" >>"$machine/calls"'
  run scripts/test
  expect_call '^generator: Ninja$'
  : >"$machine/calls"
  variables+=("CMAKE_GENERATOR=Unix Makefiles")
  run scripts/test
  expect_no_call '^generator: Ninja$'
  rm "$machine/bin/ninja"
  variables=("${variables[@]:0:2}")
  : >"$machine/calls"
  run scripts/test --no-install
  expect_call '^generator: $'
}

claim_outside_a_terminal_progress_is_a_line_for_each_5_percent_and_every_other_line_stays() {
  local form
  for form in '[%d/400] Building\n' '[%3d%%] Building\n'; do
    fake_logged cmake "[[ \$* != --build* ]] || for n in {1..100}; do printf '$form' \$n; [[ \$n != 7 ]] || echo 'a warning'; done"
    run scripts/test
    expect_status 0
    expect_says 'a warning'
    (($(grep -c Building <<<"$output") <= 21)) || complain 'at most 21 lines of progress'
  done
}

claim_test_ends_with_the_words_of_ctest() {
  run scripts/test -R stencil
  expect_call '^ctest --preset release -R stencil$'
  [[ $output == *'ctest ran last' ]] || complain 'nothing after ctest'
}

claim_a_test_that_fails_is_the_status_of_the_command() {
  fake_logged ctest 'exit 8'
  run .ci/run
  expect_status 8
}

claim_in_ci_warnings_are_errors() {
  run .ci/run
  expect_status 0
  expect_call '^cmake --preset ci$'
  expect_call '^ctest --preset ci$'
}

claim_in_ci_a_source_of_another_form_stops_before_anything_is_built() {
  fake_logged clang-format-14 'echo "clang-format version 14.0.6"; [[ $* == --version ]]'
  run .ci/run
  [[ $status != 0 ]] || complain 'a failure'
  expect_call '^clang-format-14 --dry-run --Werror .*kernels/a_kernel.cpp'
  expect_no_call '^cmake'
}

claim_in_ci_an_unclear_word_stops_before_anything_is_built() {
  fake_logged python3 'exit 1'
  run .ci/run
  [[ $status != 0 ]] || complain 'a failure'
  expect_call '^python3 .*scripts/words --check$'
  expect_no_call '^cmake'
}

claim_in_ci_the_formatter_is_installed_if_it_is_missing() {
  rm "$machine/bin/clang-format-14"
  run .ci/run
  expect_call '^apt-get .* install clang-format-14$'
}

claim_test_builds_the_preset_it_is_asked_for() {
  run scripts/test --preset asan-ubsan
  expect_call '^cmake --build --preset asan-ubsan$'
  expect_call '^ctest --preset asan-ubsan$'
}

claim_help_teaches_and_does_nothing() {
  local script
  for script in scripts/bench scripts/test scripts/format; do
    run "$script" --help
    expect_status 0
    expect_says "usage: ./$script"
    [[ ! -s $machine/calls ]] || complain 'no calls at all'
  done
}

check_claims
