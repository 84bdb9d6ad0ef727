#!/usr/bin/env bash
# Installs the Debian packages of scripts/packages.txt that are missing. Returns
# at once, without root and without network, if none is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf 'setup.sh: error: %s\n' "$1" >&2
  [[ $# -eq 1 ]] || printf '%s\n' "${@:2}" >&2
  exit 1
}

list=$(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' scripts/packages.txt)
mapfile -t packages <<<"$list"

if ! command -v dpkg-query >/dev/null; then
  fail "this system has no dpkg; FADiff's packages are named for Debian 12 (bookworm)." \
    "Install the equivalents of: ${packages[*]}"
fi

missing=()
for package in "${packages[@]}"; do
  # dpkg-query fails for a package it has never heard of.
  status=$(dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

if [[ $(id -u) -ne 0 ]]; then
  fail "missing Debian packages, and only root can install them. Run:" \
    "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
fi

export DEBIAN_FRONTEND=noninteractive
echo "setup.sh: installing ${missing[*]}"
# An unreachable mirror need not matter: what is wanted may be known already.
apt-get update -q || echo "setup.sh: warning: apt-get update failed, using the package lists at hand" >&2

unknown=()
for package in "${missing[@]}"; do
  candidate=$(LC_ALL=C apt-cache policy "$package" | sed -n 's/^ *Candidate: *//p')
  if [[ -z $candidate || $candidate == "(none)" ]]; then
    unknown+=("$package")
  fi
done
if [[ ${#unknown[@]} -gt 0 ]]; then
  fail "apt knows no package ${unknown[*]}." \
    "On Debian 12, LLVM and MLIR 22 are in bookworm-security, the rest in bookworm. Add to /etc/apt/sources.list what is missing of" \
    "  deb http://deb.debian.org/debian bookworm main" \
    "  deb http://deb.debian.org/debian-security bookworm-security main" \
    "and run this script again."
fi

apt-get install -y -q --no-install-recommends "${missing[@]}" ||
  fail "apt-get could not install ${missing[*]}; its own message is above."
