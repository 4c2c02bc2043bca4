#!/usr/bin/env bash
# What ./scripts/gate builds, with what it compares, and what .ci/run makes of it.
# shellcheck source-path=SCRIPTDIR disable=SC2016,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

# A clone with a commit, whose build "makes" a cfdmark that ends with the status in the file `verdict`, or of a commit that it
# judges in `verdict-COMMIT`.
new_clone() {
  local tool
  for tool in git cksum cut chmod realpath sha256sum stat touch; do ln -s "$(command -v "$tool")" "$machine/bin/$tool"; done
  fake_logged cmake 'case $* in *--target*) for p in ci release; do
      mkdir -p "build/$p"
      commit=$(git rev-parse HEAD)
      printf "#!/bin/bash\n[[ \$1 != --version ]] || { echo \"cfdmark 0 (commit ${commit:0:10})\"; exit; }\n" >"build/$p/cfdmark"
      printf "echo cfdmark \"\$*\" >>%q/calls\n" "$machine" >>"build/$p/cfdmark"
      printf "judged=\$(\"\$5/cfdmark\" --version) judged=\${judged##*commit }\n" >>"build/$p/cfdmark"
      printf "exit \$(cat %q/verdict-\${judged%%)*} 2>/dev/null || cat %q/verdict)\n" "$machine" "$machine" >>"build/$p/cfdmark"
      chmod +x "build/$p/cfdmark"
    done ;; esac'
  echo 0 >"$machine/verdict"
  in_clone git init -q -b main .
  mkdir -p "$machine/clone/kernels"
  printf '/build/\n/out/\n' >"$machine/clone/.gitignore"
  commit 'the first'
}

in_clone() { (cd "$machine/clone" && HOME=$machine/home "$@"); }
commit() {
  echo "$1" >"$machine/clone/kernels/kernel.cpp"
  in_clone git add -A
  in_clone git -c user.name=n -c user.email=e commit -q -m "$1"
}

claim_without_git_there_is_nothing_to_compare_and_ci_passes() {
  run .ci/run
  expect_status 0
  expect_says 'gate: no git checkout'
  expect_no_call '^cfdmark'
}

claim_the_first_commit_has_nothing_to_be_compared_with_and_that_is_not_green_but_ci_passes() {
  new_clone
  run scripts/gate
  expect_status 2
  expect_says 'no commit before this one'
  expect_says 'git fetch --unshallow'
  expect_no_call '^cmake'
  run .ci/run
  expect_status 0
  expect_says 'gate: no git checkout with an earlier commit: not run'
  expect_no_call '^cfdmark'
}

claim_on_main_the_commit_before_is_built_and_compared() {
  new_clone
  commit 'the second'
  run scripts/gate --budget 9m
  expect_status 0
  expect_call '^cmake --build --preset release --parallel .* --target cfdmark'
  expect_call '^cfdmark gate --base build/gate/base/build/release --new build/release sweeps/gate.yaml .* --budget 9m$'
  [[ $(in_clone git -C build/gate/base log --format=%s) == 'the first' ]] || complain 'the first commit checked out'
}

claim_on_a_branch_the_base_is_where_it_left_main() {
  new_clone
  in_clone git checkout -q -b branch
  commit 'on the branch'
  commit 'again'
  run scripts/gate
  [[ $(in_clone git -C build/gate/base log --format=%s) == 'the first' ]] || complain 'the first commit checked out'
}

claim_a_program_that_is_kept_is_not_built_again() {
  new_clone
  commit 'the second'
  run scripts/gate
  commit 'the third'
  : >"$machine/calls"
  run scripts/gate
  expect_status 0
  expect_no_call '^cmake .*-DBUILD_TESTING=OFF'
  expect_call "^cfdmark gate --base $machine/home/.cache/cfdmark/gate/"
}

# A program is kept for `the second`, and `the third` is to be compared with it.
keep_a_base() {
  new_clone
  commit 'the second'
  run scripts/gate
  kept=$(echo "$machine"/home/.cache/cfdmark/gate/"$(in_clone git rev-parse HEAD)"-*)
  [[ -x $kept/cfdmark ]] || complain "a program in $kept"
  commit 'the third'
  : >"$machine/calls"
}

expect_the_base_built_again() {
  expect_call '^cmake .*-DBUILD_TESTING=OFF'
  expect_call '^cfdmark gate --base build/gate/base/build/release '
  expect_no_call planted
}

claim_a_program_that_somebody_else_put_there_is_not_run() {
  keep_a_base
  printf '#!/bin/bash\necho planted >>%q/calls\n' "$machine" >"$kept/cfdmark"
  run scripts/gate
  expect_the_base_built_again
}

claim_a_program_of_another_commit_is_not_the_base() {
  keep_a_base
  sed -i 's/(commit .*)/(commit 0123456789)/' "$kept/cfdmark"
  sha256sum <"$kept/cfdmark" >"$kept/digest"
  run scripts/gate
  expect_the_base_built_again
  expect_says 'is not its program: built again'
}

claim_the_folder_of_kept_programs_is_the_users_alone() {
  keep_a_base
  [[ $(stat -c %a "$(dirname "$kept")") == 700 ]] || complain 'mode 700'
  [[ $(id -u) == 0 ]] || return 0
  chown 65534 "$(dirname "$kept")"
  run scripts/gate
  expect_the_base_built_again
  expect_says "is not this user's"
}

claim_a_kept_program_that_others_may_write_is_not_run() {
  keep_a_base
  chmod 777 "$kept/cfdmark"
  run scripts/gate
  expect_the_base_built_again
  expect_says 'is not its program: built again'
}

claim_a_link_in_place_of_a_kept_program_is_not_run() {
  keep_a_base
  mv "$kept/cfdmark" "$machine/elsewhere"
  ln -s "$machine/elsewhere" "$kept/cfdmark"
  run scripts/gate
  expect_the_base_built_again
}

claim_kept_programs_are_not_run_where_others_may_write_to_a_folder_above() {
  keep_a_base
  chmod 777 "$machine/home/.cache"
  run scripts/gate
  expect_the_base_built_again
  expect_says "is not this user's alone"
  [[ $(id -u) == 0 ]] || return 0
  chmod 755 "$machine/home/.cache"
  chown 65534 "$machine/home/.cache"
  : >"$machine/calls"
  run scripts/gate
  expect_the_base_built_again
}

claim_a_sticky_folder_above_lets_programs_be_kept() {
  keep_a_base
  chmod 1777 "$machine/home/.cache"
  run scripts/gate
  expect_no_call '^cmake .*-DBUILD_TESTING=OFF'
}

claim_two_gates_at_once_keep_a_whole_program() {
  keep_a_base
  local first second
  run_alone() { (run scripts/gate) }
  run_alone & first=$!
  run_alone & second=$!
  wait "$first" "$second"
  [[ $(sha256sum <"$kept/cfdmark") == "$(cat "$kept/digest")" ]] || complain 'a whole program'
  [[ -z $(compgen -G "$machine/home/.cache/cfdmark/gate/new.*") ]] || complain 'no scratch folder'
}

claim_without_a_home_nothing_is_kept() {
  new_clone
  commit 'the second'
  variables+=(HOME=)
  run scripts/gate
  expect_status 0
  expect_call '^cfdmark gate --base build/gate/base/build/release '
  [[ ! -e /tmp/.cache/cfdmark/gate/$(in_clone git rev-parse HEAD) && -z $(compgen -G '/.cache/cfdmark/gate/*') ]] ||
    complain 'nothing kept'
  expect_no_file home/.cache/cfdmark/gate
}

claim_a_change_of_words_only_is_not_measured() {
  new_clone
  echo more >"$machine/clone/README.md"
  in_clone git add -A
  in_clone git -c user.name=n -c user.email=e commit -q -m 'words'
  run scripts/gate
  expect_status 0
  expect_says 'nothing that the program is built from differs'
  expect_no_call '^cmake'
}

claim_a_regression_stops_ci_and_what_is_undecided_does_not() {
  new_clone
  commit 'the second'
  for verdict in 0:0 1:1 2:2 3:0 4:4; do
    echo "${verdict%:*}" >"$machine/verdict"
    run .ci/run
    expect_status "${verdict#*:}"
  done
}

claim_a_commit_message_can_accept_a_regression() {
  new_clone
  commit 'slower, but right

Gate: accept the old one was wrong at the corners'
  echo 1 >"$machine/verdict"
  run scripts/gate
  expect_status 0
  expect_says 'accepted in a commit message: the old one was wrong at the corners'
}

claim_a_commit_is_compared_with_another() {
  new_clone
  commit 'the second'
  commit 'the third

Gate: accept not between two commits'
  commit 'the fourth'
  echo 1 >"$machine/verdict"
  run scripts/gate --base HEAD~2 --new HEAD~1 --budget 9m
  expect_status 1
  expect_call '^cfdmark gate --base build/gate/base/build/release --new build/gate/new sweeps/gate.yaml .* --budget 9m$'
  [[ $("$machine/clone/build/gate/new/cfdmark" --version) == *"$(in_clone git rev-parse --short=10 HEAD~1)"* ]] ||
    complain 'the program of the third'
  [[ $("$machine/clone/build/gate/base/build/release/cfdmark" --version) == *"$(in_clone git rev-parse --short=10 HEAD~2)"* ]] ||
    complain 'the program of the second'
  run scripts/gate --base HEAD --new nowhere
  expect_status 2
}

claim_a_bisection_builds_commits_and_gates_them_until_one_is_named() {
  new_clone
  mkdir -p "$machine/clone/results/published"  # by which the package finds its files
  cp -r "$repository/results/schema" "$machine/clone/results"  # which the reader of histories reads
  local n status=0
  for n in second third fourth fifth sixth seventh; do
    commit "the $n"
    [[ $n == second || $n == third || $n == fourth ]] || echo 1 >"$machine/verdict-$(in_clone git rev-parse --short=10 HEAD)"
  done
  output=$(cd "$machine/clone" && env PATH="$machine/bin:/usr/bin:/bin" HOME="$machine/home" \
    "${CFDMARK_PYTHON:-python3}" scripts/cfdmark history bisect HEAD~5 HEAD -- --budget 1m 2>&1) || status=$?
  expect_says 'first slower'
  [[ ${output##*first slower: } == *'the fifth' ]] || complain 'the fifth named'
  expect_call '^cfdmark gate --base .* --new build/gate/new sweeps/gate.yaml .* --budget 1m$'
  # git bisect chooses between two equally good commits by their dates, which may be equal here.
  [[ $(grep -c '^cfdmark gate' "$machine/calls") == [34] ]] || complain 'the last, and two or three of the four between'
}

claim_a_base_that_cannot_be_built_is_undecided() {
  new_clone
  commit 'the second'
  fake_logged cmake 'case $PWD in *gate/base*) echo "does not compile"; exit 1 ;; esac; mkdir -p build/release; : >build/release/cfdmark'
  run scripts/gate
  expect_status 3
  expect_says 'cannot be built: undecided'
  run scripts/gate --strict
  expect_status 1
}

claim_a_base_that_is_no_commit_is_told() {
  new_clone
  run scripts/gate --base nowhere
  expect_status 2
  expect_says "'nowhere' is not a commit of this checkout"
}

claim_options_may_stand_in_any_order() {
  new_clone
  run scripts/gate --budget 9m --base nowhere
  expect_status 2
  expect_says "'nowhere' is not a commit of this checkout"
}

check_claims
