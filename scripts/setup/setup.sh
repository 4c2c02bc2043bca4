# shellcheck shell=bash
# From a bare machine to a built preset: what ./scripts/bench and ./scripts/test have in common. Sourced, not run.

for part in say packages kokkos build; do
  # shellcheck source=/dev/null
  source "$(dirname "${BASH_SOURCE[0]}")/$part.sh"
done

# Leaves a machine alone on which everything is there.
install_what_is_missing() {
  require_debian
  install_missing_packages
  install_missing_comforts
  prefer_ninja
  ensure_kokkos
}
