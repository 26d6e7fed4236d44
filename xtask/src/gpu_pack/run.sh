#!/usr/bin/env bash
# Tests, sanitizer and benchmarks of swathe on a machine with an NVIDIA GPU; see --help.
set -uo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

needed="$(cat "$here/glibc.txt")"
found="$(ldd --version 2>&1 | head -n 1 | grep -oE '[0-9]+\.[0-9]+' | tail -n 1)"
if [ "$(printf '%s\n%s\n' "$needed" "${found:-0}" | sort -V | head -n 1)" != "$needed" ]; then
    echo "error: these programs need glibc $needed or newer, this machine has ${found:-another C library}" >&2
    exit 2
fi
if ! command -v python3 >/dev/null; then
    echo "error: python3 is missing" >&2
    exit 2
fi
exec python3 "$here/run.py" "$@" </dev/null
