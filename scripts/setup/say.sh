# shellcheck shell=bash
# Messages of the set-up scripts. Sourced, not run.

say() { printf '==> %s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null; }

# quietly COMMAND...: shows what the command printed only if it failed.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  ((status == 0)) || tail -n 30 "$log" >&2
  rm -f "$log"
  return "$status"
}
