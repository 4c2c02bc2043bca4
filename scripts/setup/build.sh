# shellcheck shell=bash
# Configuring and building a preset. Sourced, not run; needs say.sh.

# With ccache, trees of this project share what they compile alike, an earlier build or the gate's base. Paths below the
# root count as relative, so that a tree that lies in it, as the base's does, finds this tree's files.
share_compiled_files() {
  has ccache || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache} CCACHE_NOHASHDIR=1
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
}

# Ninja where it is installed, unless the user chose a generator. A folder that is configured keeps its own.
prefer_ninja() { ! has ninja || export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; }

# Passes a build's output on, with one progress line, "[17/900] ..." or "[ 2%] ...", for each 5 %.
thin_progress() {
  local line part shown=''
  while IFS= read -r line; do
    part=''
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      part=$((20 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    elif [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then
      part=$((BASH_REMATCH[1] / 5))
    fi
    [[ -n $part && $part == "$shown" ]] || printf '%s\n' "$line"
    shown=${part:-$shown}
  done
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  share_compiled_files
  prefer_ninja
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
  say "configuring (preset $preset)"
  cmake --preset "$preset"
  say "building in build/$preset with $CMAKE_BUILD_PARALLEL_LEVEL jobs (the first time takes half an hour on two cores)"
  if [[ -t 1 ]]; then
    cmake --build --preset "$preset" ${1:+--target "$@"}
  else
    cmake --build --preset "$preset" ${1:+--target "$@"} 2>&1 | thin_progress
  fi
}
