# shellcheck shell=bash
# What the build needs from a Debian or Ubuntu machine, and how it gets there. Sourced, not run; needs say.sh.

# hypre and Ginkgo are peers to measure ours against. For hypre, install libhypre-dev, which brings an MPI with it;
# for Ginkgo, build it and name its folder in CMAKE_PREFIX_PATH.
libraries=(libfmt-dev libcli11-dev nlohmann-json3-dev libyaml-cpp-dev libbenchmark-dev libboost-dev catch2
           libvalijson-dev libopenblas-dev libfftw3-dev libpng-dev)
python_modules=(python3-matplotlib python3-jinja2 python3-rich python3-ruamel.yaml python3-fastjsonschema)
optimisers=(libpagmo-dev)  # for `cfdmark shape`; 12 MB to fetch, 100 MB on disk
mpi=(openmpi-bin libopenmpi-dev)  # ranks as processes
page_scripts=(node-d3-selection)  # 13 kB that reports carry, so that they can be sorted and filtered

require_debian() {
  if has apt-get && has dpkg-query; then return; fi
  cat >&2 <<'TEXT'
error: this set-up installs packages on Debian and Ubuntu only. On another system, install by its own means
  a C++20 compiler, CMake 3.21 or newer, Ninja or make,
  fmt, CLI11, nlohmann-json, valijson, yaml-cpp, Google Benchmark, Boost (its headers), Catch2,
  Python 3 with matplotlib, jinja2, rich, ruamel.yaml and fastjsonschema (for the report and the published values),
  and, if you like, OpenBLAS, FFTW, hypre with MPI, Ginkgo and Kokkos with OpenMP (without them their rows say so),
  libpng, pagmo (without it `cfdmark shape` cannot search), an MPI (without it ranks are threads),
  and d3-selection, whose folder CFDMARK_D3_SELECTION names (without it reports have no scripts, and say so).
Then run this script again with --no-install, or by hand:
  cmake --preset release && cmake --build --preset release && ctest --preset release
TEXT
  exit 1
}

install_missing_packages() {
  local missing
  missing=$(missing_packages | paste -s -d ' ')
  [[ -n $missing ]] || return 0
  # Package names hold no spaces: splitting is wanted.
  # shellcheck disable=SC2086
  install_packages $missing || die "without these packages nothing can be built: $missing
  Is there a network, and may this user install? An administrator can run
    apt-get install $missing
  If you have them from elsewhere, run this script again with --no-install."
}

# Installs what a build can do without: an installation that fails is a warning, not an error.
install_missing_comforts() {
  local missing
  missing=$(not_installed "${page_scripts[@]}")
  [[ -z $missing || -n ${CFDMARK_D3_SELECTION:-} ]] || install_packages "$missing" ||
    warn "without $missing reports can be read, but not sorted or filtered"
  missing=$(not_installed "${optimisers[@]}")
  [[ -z $missing ]] || install_packages "$missing" || warn "without $missing, cfdmark shape cannot search"
  # Any MPI with compiler and launcher will do. Package names hold no spaces: splitting is wanted.
  missing=$(not_installed "${mpi[@]}" | paste -s -d ' ')
  # shellcheck disable=SC2086
  [[ -z $missing ]] || { has mpicc && has mpirun; } || install_packages $missing ||
    warn "without $missing ranks can be threads, but not processes (solve --join mpi)"
  has ninja || install_packages ninja-build || warn "without ninja-build the build uses make"
}

# Tools and Python modules may come from anywhere; for a library only dpkg knows whether its headers are there.
missing_packages() {
  [[ -n ${CXX:-} ]] || has c++ || echo g++
  has cmake || echo cmake
  has ninja || has make || echo ninja-build
  not_installed "${libraries[@]}"
  python_has_modules || not_installed "${python_modules[@]}"
}

not_installed() {
  local installed package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package; do grep -qx "installed $package" <<<"$installed" || echo "$package"; done
}

python_has_modules() {
  local python candidates=(/usr/bin/python3 python3)
  [[ -z ${CFDMARK_PYTHON:-} ]] || candidates=("$CFDMARK_PYTHON")
  for python in "${candidates[@]}"; do
    if "$python" -c 'from importlib.util import find_spec
exit(not all(map(find_spec, ("matplotlib", "jinja2", "rich", "ruamel.yaml", "fastjsonschema"))))' 2>/dev/null
    then return 0; fi
  done
  return 1
}

# install_packages NAME...: fails, with the package manager's own words, if it cannot.
install_packages() {
  local root=()
  if [[ $(id -u) != 0 ]]; then
    if ! has sudo; then
      warn "installing needs root, and there is no sudo here"
      return 1
    fi
    root=(sudo)
  fi
  say "installing $* (up to two minutes)"
  # An update that fails may still leave lists that are good enough: the installation decides.
  quietly "${root[@]}" sh -c 'apt-get -q update; DEBIAN_FRONTEND=noninteractive exec \
    apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 install "$@"' sh "$@" </dev/null
}
