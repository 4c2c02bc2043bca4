# shellcheck shell=bash
# Configuring and building a preset. Sourced, not run; needs say.sh.

# With ccache, trees of this project share what they compile alike, an earlier build or the gate's base. Paths below the
# root count as relative, so that a tree that lies in it, as the base's does, finds this tree's files.
share_compiled_files() {
  has ccache || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache} CCACHE_NOHASHDIR=1
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  share_compiled_files
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
  say "configuring (preset $preset)"
  cmake --preset "$preset"
  say "building in build/$preset with $CMAKE_BUILD_PARALLEL_LEVEL jobs (the first time takes half an hour on two cores)"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
