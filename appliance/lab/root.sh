#!/bin/bash
# root.sh: makes the file system that every device of the lab starts from, once, and prints where it is.
# The folder's name carries a hash of all that decides its content: a change here or in the packages makes a new one.
# A larger root, once it is there, serves the smaller sites too; that of guests under QEMU is the largest.
# Settings: LANWARD_LAB_SITE (small, whole, guest), LANWARD_LAB_SUITE (the Debian release that devices run: bookworm, trixie),
# LANWARD_LAB_CACHE (folder), LANWARD_LAB_MIRROR (a Debian mirror; by default the one this machine's apt uses).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suite=${LANWARD_LAB_SUITE:-bookworm}
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
  [ "$site" != guest ] || command -v wget >/dev/null || missing+=(wget)
  [ ${#missing[@]} = 0 ] && return
  say "installing ${missing[*]} on this machine"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"; } \
    >"$cache/host.log" 2>&1 || die "could not install ${missing[*]}; see $cache/host.log"
}

# The mirror that apt uses here for the suite, or for another one: it has them all. One whose path ends in /debian is the
# distribution's own.
mirror() {
  local found
  found=$(apt-get indextargets --no-release-info --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" '$2 == "main" { print ($1 == suite ? 1 : 2), $3 }' | sort -u)
  { grep -E '/debian/?$' <<<"$found" || grep '^1 ' <<<"$found"; } | head -n 1 | cut -d' ' -f2
}

# The lists of packages of a site. A guest has those of the whole site, too.
packages() {
  [ "$1" != guest ] || echo "$here/sites/whole/packages.txt"
  echo "$here/sites/$1/packages.txt"
}

# Debian starts a server as soon as its package is there; in the lab each device says what it runs (devices/*/units).
quiet_units() {
  local root=$1 unit
  rm -f "$root"/etc/ssh/ssh_host_*
  for unit in ssh snmpd lldpd dnsmasq nftables openvswitch-switch wpa_supplicant networking systemd-networkd rsyslog \
    systemd-timesyncd slapd inadyn isc-dhcp-server exim4 exim4-base.timer freeradius nginx caddy prometheus victoria-metrics pppd-dns apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap fstrim.timer; do
    chroot "$root" systemctl disable "$unit" >/dev/null 2>&1 || true
  done
}

# The package's record in the index that mmdebstrap read.
record_of() { awk -v name="Package: $2" '$0 == name { on = 1 } on { if ($0 == "") exit; print }' "$1"/var/lib/apt/lists/*_main_binary-*_Packages; }
value_of() { sed -n "s/^$2: //p" <<<"$1"; }

# Debian's kernel for guests, in /srv/kernel of the root: unpacked and never installed, and of its modules what a device has.
# Not the cloud kernel: it has no Wi-Fi and no PPP.
add_kernel() {
  local root=$1 from=$2 package record modules new=$1/srv/kernel
  record=$(record_of "$root" linux-image-amd64)
  package=$(grep -o 'linux-image-[0-9][^ ,]*' <<<"$(value_of "$record" Depends)" | head -n 1)
  record=$(record_of "$root" "$package")
  wget -q -O "$root/kernel.deb" "${from%/}/$(value_of "$record" Filename)" || die "could not get $package from $from"
  sha256sum --quiet -c - <<<"$(value_of "$record" SHA256)  $root/kernel.deb" || die "$package is not what the index says"
  chroot "$root" dpkg-deb -x /kernel.deb /kernel.new
  modules=$(cd "$root/kernel.new/lib/modules" && echo *)
  mkdir -p "$new/lib/modules/$modules"
  mv "$root"/kernel.new/boot/vmlinuz-* "$new/vmlinuz"
  (
    cd "$root/kernel.new/lib/modules/$modules"
    cp --parents -a modules.{builtin,builtin.modinfo,order} kernel/{net,lib,crypto,arch/x86/crypto} \
      kernel/drivers/net/{ppp,slip/slhc.ko,bonding,vxlan,team,wireguard} kernel/drivers/net/*.ko kernel/drivers/net/wireless/mac80211_hwsim.ko \
      kernel/drivers/{leds,virtio,block/virtio_blk.ko,char/hw_random} kernel/fs/{ext4,jbd2,mbcache.ko} "$new/lib/modules/$modules"
  )
  chroot "$root" depmod -b /srv/kernel "$modules"
  rm -rf "$root"/kernel.{deb,new}
}

# In namespaces of its own: its mounts and processes go with this one, should it be killed.
bootstrap() {
  setpriv --pdeathsig KILL unshare -m -p -f --kill-child --mount-proc mmdebstrap --mode=root --format=directory \
    --variant=minbase --skip=cleanup/apt/lists --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --aptopt='Acquire::Languages "none"' \
    --include="$(cat $(packages "$site") | grep -v '^#' | paste -sd,)" "$suite" "$1" "$2"
}

build() {
  local root=$1 from=$2 work
  rm -rf "$cache"/build.??????
  work=$(mktemp -d "$cache/build.XXXXXX")
  trap "rm -rf '$work'" EXIT
  say "making the devices' root in $root (once: a minute or two)"
  bootstrap "$work/root" "$from" >"$cache/build.log" 2>&1 || die "mmdebstrap from $from failed; see $cache/build.log"
  quiet_units "$work/root"
  [ "$site" != guest ] || add_kernel "$work/root" "$from"
  # What the stores of metrics bring along for their pages and for other uses: more than half of their size.
  rm -rf "$work"/root/usr/share/javascript "$work"/root/usr/bin/{promtool,tsdb,vmagent,vmalert,vmauth,vmbackup,vmctl,vmrestore} "$work"/root/var/lib/apt/lists/*
  : >"$work/root/etc/resolv.conf"
  mv -T "$work/root" "$root"
}

root_of() { echo "$cache/$1-$suite-$(cat $(packages "$1") "${BASH_SOURCE[0]}" | sha256sum | cut -c1-12)"; }

# Whether a root for the site is there, a larger one too; `root` is where it is, or will be.
declare -A fits=([small]='guest whole small' [whole]='guest whole' [guest]=guest)
found() {
  local one
  for one in ${fits[$site]}; do
    root=$(root_of "$one")
    [ ! -d "$root" ] || return 0
  done
  return 1
}

main() {
  local root from
  [ -n "${fits[$site]:-}" ] || die "no site '$site'"
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
