# shellcheck shell=bash
# Configuring and building a preset. Sourced, not run; needs say.sh.

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
  say "configuring (preset $preset)"
  cmake --preset "$preset"
  say "building in build/$preset with $CMAKE_BUILD_PARALLEL_LEVEL jobs (the first time takes minutes)"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
