# shellcheck shell=bash
# Which Kokkos the build will find, and what is done where there is none with OpenMP. Sourced, not run; needs
# say.sh and packages.sh. The other half is cmake/kokkos.cmake, which looks for it in the same places.

# Empty without a home: what lies in a folder that others may write must not be linked or run.
user_cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
user_cache=${user_cache:+$user_cache/cfdmark}

# Never fails: without Kokkos the rest works, and the kokkos rows of the catalog say why they cannot run.
ensure_kokkos() {
  if kokkos_is_chosen || [[ -z $(not_installed libkokkos-dev) ]] || kokkos_is_built; then return; fi
  if kokkos_is_packaged && install_packages libkokkos-dev; then return; fi
  build_kokkos || warn "no Kokkos with OpenMP: the kokkos rows will say that they were not built.
  To use one of your own set Kokkos_ROOT; to leave it out without this attempt use --no-install."
}

# CMake will find it by these variables: the choice is the user's.
kokkos_is_chosen() {
  [[ -z ${Kokkos_ROOT:-}${Kokkos_DIR:-} ]] || return 0
  local prefix prefixes
  IFS=: read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    if kokkos_is_in "$prefix"; then return 0; fi
  done
  return 1
}

# kokkos_is_in GLOB
kokkos_is_in() { compgen -G "$1/lib*/cmake/Kokkos" >/dev/null || compgen -G "$1/lib/*/cmake/Kokkos" >/dev/null; }

kokkos_is_built() { kokkos_is_in "$user_cache/kokkos-*-openmp-$(compiler_id)"; }

kokkos_is_packaged() { [[ -n $(apt-cache show libkokkos-dev 2>/dev/null) ]]; }

build_kokkos() {
  [[ -n $user_cache ]] || { warn "no home to build Kokkos in: set HOME or XDG_CACHE_HOME" && return 1; }
  say "building Kokkos with OpenMP, once, in $user_cache (downloads 170 MB, then about 20 s on 2 cores)"
  quietly "$(dirname "${BASH_SOURCE[0]}")/build_kokkos" "$user_cache" "$(compiler_id)"
}

# As CMake names it: GNU-12.2.0. A library built by one compiler is not offered to another.
compiler_id() {
  local cxx
  read -r -a cxx <<<"${CXX:-c++}"
  if [[ $("${cxx[@]}" --version) == *clang* ]]; then
    echo "Clang-$("${cxx[@]}" -dumpversion)"
  else
    echo "GNU-$("${cxx[@]}" -dumpfullversion)"
  fi
}
