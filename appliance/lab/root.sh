#!/bin/bash
# root.sh: makes the file system that every device of the lab starts from, once, and prints where it is.
# The folder's name carries a hash of all that decides its content: a change here or in the packages makes a new one.
# The root of the whole site, once it is there, serves the small one too.
# Settings: LANWARD_LAB_SITE (whole, small), LANWARD_LAB_CACHE (folder), LANWARD_LAB_MIRROR (a Debian mirror; by default
# the one this machine's apt uses).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suite=bookworm
cache=${LANWARD_LAB_CACHE:-/var/cache/lanward-lab}
site=${LANWARD_LAB_SITE:-whole}

say() { printf 'lab: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

host_packages() {
  local missing=()
  command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing+=(debian-archive-keyring)
  command -v systemd-nspawn >/dev/null || missing+=(systemd-container)
  command -v ip >/dev/null || missing+=(iproute2)
  [ ${#missing[@]} = 0 ] && return
  say "installing ${missing[*]} on this machine"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"; } \
    >"$cache/host.log" 2>&1 || die "could not install ${missing[*]}; see $cache/host.log"
}

# The mirror that apt uses here for the suite; one whose path ends in /debian is the distribution's own.
mirror() {
  local found
  found=$(apt-get indextargets --no-release-info --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3 }' | sort -u)
  { grep -E '/debian/?$' <<<"$found" || printf '%s\n' "$found"; } | head -n 1
}

packages() { echo "$here/sites/$1/packages.txt"; }

# Debian starts a server as soon as its package is there; in the lab each device says what it runs (devices/*/units).
quiet_units() {
  local root=$1 unit
  rm -f "$root"/etc/ssh/ssh_host_*
  for unit in ssh snmpd lldpd dnsmasq nftables openvswitch-switch wpa_supplicant networking systemd-networkd rsyslog \
    systemd-timesyncd slapd inadyn isc-dhcp-server exim4 exim4-base.timer pppd-dns apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap fstrim.timer; do
    chroot "$root" systemctl disable "$unit" >/dev/null 2>&1 || true
  done
}

# In namespaces of its own: its mounts and processes go with this one, should it be killed.
bootstrap() {
  setpriv --pdeathsig KILL unshare -m -p -f --kill-child --mount-proc mmdebstrap --mode=root --format=directory \
    --variant=minbase --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --aptopt='Acquire::Languages "none"' \
    --include="$(grep -v '^#' "$(packages "$site")" | paste -sd,)" "$suite" "$1" "$2"
}

build() {
  local root=$1 from=$2 work
  rm -rf "$cache"/build.??????
  work=$(mktemp -d "$cache/build.XXXXXX")
  trap "rm -rf '$work'" EXIT
  say "making the devices' root in $root (once: a minute or two)"
  bootstrap "$work/root" "$from" >"$cache/build.log" 2>&1 || die "mmdebstrap from $from failed; see $cache/build.log"
  quiet_units "$work/root"
  : >"$work/root/etc/resolv.conf"
  mv -T "$work/root" "$root"
}

root_of() { echo "$cache/$1-$(cat "$(packages "$1")" "${BASH_SOURCE[0]}" | sha256sum | cut -c1-12)"; }

# Whether a root for the site is there; `root` is where it is, or will be.
found() {
  local one
  for one in whole "$site"; do
    root=$(root_of "$one")
    [ ! -d "$root" ] || return 0
  done
  return 1
}

main() {
  local root from
  [ -e "$(packages "$site")" ] || die "no site '$site'"
  if ! found; then
    [ "$(id -u)" = 0 ] || die 'the lab needs root'
    mkdir -p "$cache"
    exec 9>"$cache/lock"
    flock 9
    host_packages
    from=${LANWARD_LAB_MIRROR:-$(mirror)}
    [ -n "$from" ] || die "no mirror for Debian $suite in this machine's apt sources; name one in LANWARD_LAB_MIRROR"
    found || build "$root" "$from"
  fi
  printf '%s\n' "$root"
}

main
