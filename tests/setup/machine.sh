# shellcheck shell=bash disable=SC2016,SC2034
# A pretended machine in a folder, for claims about the set-up scripts: a clone of the scripts under a path with
# blanks, and a PATH on which the package manager, sudo, cmake and ctest only write down how they were called.
# Sourced by the tests in this folder. A claim is a function claim_*; each gets a new machine.
set -uo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
debian_packages=(libfmt-dev libcli11-dev nlohmann-json3-dev libyaml-cpp-dev libbenchmark-dev libboost-dev catch2
                 libvalijson-dev libopenblas-dev libfftw3-dev libpng-dev libpagmo-dev node-d3-selection)

# new_machine: Debian, root, everything installed, a Kokkos chosen by the user.
new_machine() {
  machine=$(mktemp -d)/"a machine"
  mkdir -p "$machine"/{bin,home,clone/sweeps,clone/build/release,clone/{kernels,solvers,tuning,bench,tests}}
  touch "$machine/clone/kernels/a_kernel.cpp"
  cp -r "$repository/scripts" "$repository/.ci" "$machine/clone"
  local tool
  for tool in bash sh env dirname basename cat cp mkdir mktemp rm mv ls grep sed tail paste nproc tar gzip find xargs; do
    ln -s "$(command -v $tool)" "$machine/bin/$tool"
  done
  echo 0 >"$machine/uid"
  printf '%s\n' "${debian_packages[@]}" >"$machine/installed"
  : >"$machine/calls"
  variables=("Kokkos_ROOT=/opt/kokkos" "CFDMARK_PYTHON=python")

  fake id 'cat "$machine/uid"'
  fake c++ 'echo 12.2.0'
  fake ninja 'exit 1'
  fake python 'exit 0'
  fake_logged python3 'exit 0'
  fake dpkg-query 'for name; do grep -qx -e "$name" "$machine/installed" && echo "installed $name"; done; exit 0'
  fake apt-cache 'exit 100'
  fake_logged sudo 'exec "$@"'
  fake_logged apt-get 'exit 0'
  fake_logged ctest 'echo "ctest ran last"'
  fake_logged cmake 'exit 0'
  fake_logged clang-format-14 'echo "clang-format version 14.0.6"'
}

fake() { printf '#!/bin/bash\nmachine=%q\n%s\n' "$machine" "$2" >"$machine/bin/$1" && chmod +x "$machine/bin/$1"; }
fake_logged() { fake "$1" "echo \"$1 \$*\" >>\"\$machine/calls\"; $2"; }
missing() { sed -i "/^$1\$/d" "$machine/installed"; }

# run SCRIPT [ARGUMENT...]: leaves $output and $status.
run() {
  status=0
  output=$(cd / && env -i PATH="$machine/bin" HOME="$machine/home" "${variables[@]}" \
    "$machine/clone/$1" "${@:2}" 2>&1 </dev/null) || status=$?
}

complain() {
  printf '  expected %s\n  status: %s\n  calls:\n%s\n  output:\n%s\n' \
    "$1" "${status:-}" "$(sed 's/^/    /' "$machine/calls")" "${output:-}"
  exit 1
}
expect_status() { [[ $status == "$1" ]] || complain "status $1"; }
expect_says() { [[ $output == *"$1"* ]] || complain "to read: $1"; }
expect_call() { grep -qE -e "$1" "$machine/calls" || complain "a call like: $1"; }
expect_no_call() { ! grep -qE -e "$1" "$machine/calls" || complain "no call like: $1"; }
expect_file() { [[ -e $machine/$1 ]] || complain "a file $1"; }
expect_no_file() { [[ ! -e $machine/$1 ]] || complain "no file $1"; }

# Runs every claim of the file that sourced this one; the exit status says whether all hold.
check_claims() {
  local claim failed=0 report
  for claim in $(compgen -A function claim_); do
    if report=$(new_machine && trap 'rm -rf "$(dirname "$machine")"' EXIT && "$claim"); then
      echo "holds: ${claim#claim_}"
    else
      printf 'FAILS: %s\n%s\n' "${claim#claim_}" "$report"
      failed=1
    fi
  done
  exit "$failed"
}
