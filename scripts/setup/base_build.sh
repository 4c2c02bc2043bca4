# shellcheck shell=bash
# The commit that a change is compared with, and its program. Sourced by scripts/gate; needs say.sh and build.sh.

# What the program is built from.
program_sources=(CMakeLists.txt CMakePresets.json cmake kernels solvers tuning bench)
programs_kept=5

# base_commit [NAME]: the commit of that name; else where this branch left main, or on main the commit before. Fails, and
# says why, if there is none.
base_commit() {
  local name=$1 main commit head
  if ! has git || ! head=$(git rev-parse --verify -q HEAD); then
    say "gate: no git checkout: nothing to compare with" >&2
    return 1
  fi
  if [[ -n $name ]]; then
    git rev-parse --verify -q "$name^{commit}" || { warn "gate: '$name' is not a commit of this checkout" && return 1; }
    return
  fi
  for main in origin/HEAD origin/main main; do
    commit=$(git merge-base "$main" HEAD 2>/dev/null) || continue
    [[ $commit == "$head" ]] || { echo "$commit" && return; }
  done
  git rev-parse --verify -q HEAD~1 || {
    warn "gate: no commit before this one here: nothing to compare with; in a shallow clone, git fetch --unshallow"
    return 1
  }
}

# same_sources COMMIT [OTHER]: whether the program is built from the same in both; without OTHER in this tree.
same_sources() {
  if [[ -n ${2:-} ]]; then
    git diff --quiet "$1" "$2" -- "${program_sources[@]}"
    return
  fi
  git diff --quiet "$1" -- "${program_sources[@]}" &&
    [[ -z $(git ls-files --others --exclude-standard -- "${program_sources[@]}") ]]
}

# What a kept program must have been built with and for.
program_key() {
  local preset=$1
  {
    echo "$preset"
    ${CXX:-c++} --version
    grep -m 1 -e '^flags' /proc/cpuinfo || true
    dpkg-query -W 'libkokkos*' 2>/dev/null || true
    compgen -G "$user_cache/kokkos-*" || true
  } | cksum | cut -d ' ' -f 1
}

# others_may_change PATH: succeeds if another user may change what lies there: it or a folder above it is theirs, or they may
# write to it. In a sticky folder such as /tmp, users cannot replace the files of others. What passes cannot be changed between
# this check and its use.
others_may_change() {
  local path owner group mode sticky=0
  path=$(realpath -e "$1" 2>/dev/null) || return 0
  while :; do
    read -r owner group mode < <(stat -c '%u %G 0%a' "$path") || return 0
    ((owner == EUID || owner == 0)) || return 0
    # Many systems give each user a group of their own, which may write what its only member may.
    [[ $group != "$(id -un)" ]] || mode=$((mode & ~0020))
    ((!(mode & 0022) || mode & sticky)) || return 0
    [[ $path != / ]] || return 1
    path=$(dirname "$path") sticky=01000  # of a folder above only
  done
}

# The folder of the programs that are kept: this user's alone, since they are run. Fails where there is none.
gate_cache() {
  local folder=$user_cache/gate
  [[ -n $user_cache ]] || return 1
  if mkdir -p "$folder" 2>/dev/null && [[ -O $folder && ! -L $folder ]] && chmod 700 "$folder" &&
    ! others_may_change "$folder"; then
    realpath "$folder"
  else
    warn "gate: $folder is not this user's alone: nothing is kept there, and nothing taken"
    return 1
  fi
}

kept_name() { echo "$1-$(program_key "$2")"; }

# is_program_of COMMIT FOLDER: whether the program there is whole, and says that it was built from this commit.
is_program_of() {
  [[ -f $2/cfdmark && ! -L $2/cfdmark ]] && ! others_may_change "$2/cfdmark" && [[ $(digest "$2/cfdmark") == "$(cat "$2/digest" 2>/dev/null)" &&
    $("$2/cfdmark" --version 2>/dev/null) == *"(commit ${1:0:10})"* ]]
}

digest() { sha256sum <"$1"; }

# base_program_folder COMMIT PRESET: a folder with the commit's program; fails if it cannot be built.
base_program_folder() {
  local commit=$1 preset=$2 cache='' kept tree=build/gate/base
  cache=$(gate_cache) || true
  kept=$cache/$(kept_name "$commit" "$preset")
  if [[ -n $cache && -e $kept ]]; then
    is_program_of "$commit" "$kept" && touch "$kept" && echo "$kept" && return  # what is used is kept
    warn "gate: what is kept for ${commit:0:10} is not its program: built again"
  fi
  {
    git worktree prune
    git worktree remove --force "$tree" 2>/dev/null || rm -rf "$tree"
    git worktree add --force --detach "$tree" "$commit"
  } >&2 || { warn "gate: cannot check out ${commit:0:10}" && return 1; }
  say "gate: building ${commit:0:10}" >&2
  (cd "$tree" && quietly cmake --preset "$preset" -DBUILD_TESTING=OFF &&
    quietly cmake --build --preset "$preset" --parallel "$(nproc)" --target cfdmark) ||
    { warn "gate: the base ${commit:0:10} cannot be built: undecided" && return 1; }
  keep "$tree/build/$preset/cfdmark" "$commit" "$preset"
  echo "$tree/build/$preset"
}

# copied_program COMMIT PRESET: a folder with the commit's program, where the next one that is built leaves it.
copied_program() {
  local built folder=build/gate/new
  built=$(base_program_folder "$1" "$2") || return 1
  rm -rf "$folder" && mkdir -p "$folder" && cp "$built/cfdmark" "$folder/" && echo "$folder"
}

# keep PROGRAM COMMIT PRESET: nowhere without a folder of this user.
keep() {
  local cache folder scratch=''
  cache=$(gate_cache) || return 0
  folder=$cache/$(kept_name "$2" "$3")
  if is_program_of "$2" "$folder"; then
    touch "$folder"
    return 0
  fi
  # A folder of its own until it is whole: another gate may keep the same at the same time.
  if ! { scratch=$(mktemp -d "$cache/new.XXXXXX") && cp "$1" "$scratch/cfdmark" && chmod 700 "$scratch/cfdmark" &&
    digest "$scratch/cfdmark" >"$scratch/digest" && rm -rf "$folder" && mv -T "$scratch" "$folder"; }; then
    [[ -z $scratch ]] || rm -rf "$scratch"
    warn "gate: the program cannot be kept in $folder"
  fi
  # Names are commits and numbers.
  # shellcheck disable=SC2012
  ls -t "$cache" | tail -n +$((programs_kept + 1)) |
    while read -r old; do rm -rf "${cache:?}/$old"; done
}

# This tree's program is the next change's base, if the tree is what its commit says.
keep_program() {
  [[ -z $(git status --porcelain -- "${program_sources[@]}") ]] || return 0
  keep "build/$1/cfdmark" "$(git rev-parse HEAD)" "$1"
}

# The reason for which a commit since the base says that the result is accepted.
accepted_because() {
  git log --format=%B "$1..HEAD" | sed -n 's/^Gate: accept *//p' | grep -m 1 .
}
