#!/bin/bash
# guest.sh GUEST COMMAND…: boots a device under QEMU with Debian's own kernel, for what this machine's may lack (Wi-Fi, PPP,
# VLANs of a bridge), runs the command in the manager's network beside it, and ends both. GUEST is a folder of devices/guest.
#
#   10.78.0.0/24: the guest .0.3, the manager .0.10. The guest's ports eth0 and eth1 hang on one bridge with the manager,
#   which lets VLANs through as they are. What the guest itself puts behind eth1 is in a namespace of its own.
#
# The command finds in LANWARD_GUEST what it needs to log in (JSON). Settings: LANWARD_LAB_PREFIX, so that guests run side
# by side; LANWARD_GUEST_ACCEL (tcg), another accelerator of QEMU's.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LANWARD_LAB_PREFIX=${LANWARD_LAB_PREFIX:-lwg$$} LANWARD_LAB_DIR=${LANWARD_GUEST_DIR:-/run/lanward-guests}
. "$here/lib.sh"

address=10.78.0.3
ports='eth0 eth1'

# The manager's place and the cables.
wire() {
  local port
  ns_add guest
  ip -n "$(ns guest)" link add lan type bridge stp_state 0 forward_delay 0
  ip -n "$(ns guest)" addr add 10.78.0.10/24 dev lan
  ip -n "$(ns guest)" link set lan up
  for port in $ports; do
    ip -n "$(ns guest)" tuntap add "$port" mode tap
    ip -n "$(ns guest)" link set "$port" master lan up
  done
}

# The factory state is laid on the disk by the guest's first process.
load() {
  local name=$1 image=$2
  provision "$name" systemd systemd air "guest/$name"
  cp -a "$image/initrd" "$state/$name/initrd"
  cp -a "$state/$name/upper/." "$state/$name/initrd/factory/"
  tool_in "$state/$name" sh -c 'cd /mnt/initrd && find . | busybox cpio -o -H newc 2>/dev/null >/mnt/initrd.img'
}

# Runs the root's QEMU with the guest's folder at /mnt and the image at /media; it ends with this script, whatever becomes of it.
machine='
  mount --bind "$1" "$3/mnt" && mount --bind "$2" "$3/media" && mount --rbind /dev "$3/dev" && mount --rbind /proc "$3/proc" || exit 125
  root=$3; shift 3; exec chroot "$root" env TMPDIR=/mnt qemu-system-x86_64 "$@"'

# `quiet` and what follows keep a kernel under emulation from measuring and testing for seconds.
words='console=ttyS0 quiet panic=-1 net.ifnames=0 mitigations=off nokaslr tsc=reliable no_timer_check cryptomgr.notests
  systemd.show_status=0 systemd.condition_needs_update=0 systemd.mask=getty.target systemd.mask=serial-getty@ttyS0.service'

boot() {
  local name=$1 image=$2 port at=0 options=()
  for port in $ports; do
    options+=(-netdev "tap,id=$port,ifname=$port,script=no,downscript=no"
      -device "virtio-net-pci,netdev=$port,romfile=,mac=02:00:5e:10:03:0$at")
    at=$((at + 1))
  done
  # -accel: the default store of translated code is 1 GB. snapshot: the disk's changes live as long as QEMU, and outlast a reboot.
  case ${LANWARD_GUEST_ACCEL:-tcg} in
    tcg) options+=(-accel 'tcg,tb-size=128' -cpu Nehalem) ;;
    *) options+=(-accel "$LANWARD_GUEST_ACCEL") ;;
  esac
  setsid setpriv --pdeathsig KILL ip netns exec "$(ns guest)" unshare -m --propagation private sh -c "$machine" sh \
    "$state/$name" "$image" "$(<"$state/root")" -name "$name" -M pc -m 512 -display none -nodefaults -no-user-config \
    -kernel /media/vmlinux -initrd /mnt/initrd.img -append "$(tr -d '\n' <<<"$words")" \
    -drive file=/media/disk,format=raw,if=virtio,snapshot=on -serial file:/mnt/console \
    -object rng-random,id=random,filename=/dev/urandom -device virtio-rng-pci,rng=random \
    "${options[@]}" </dev/null >"$state/$name/log" 2>&1 &
  record "$state/$name/machine" $!
  disown
}

answers() { on guest timeout 3 bash -c 'read -r line </dev/tcp/$1/22 && [[ $line == SSH-2.0-* ]]' - "$address" 2>/dev/null; }

# Seldom: each question takes from the guest what it needs to get up.
wait_ready() {
  local left=120
  until answers; do
    recorded "$state/$1/machine" >/dev/null || die "QEMU ended: $(tail -n 3 "$state/$1/log")"
    left=$((left - 1))
    [ $left -gt 0 ] || die "the guest does not answer; the end of its console: $(tail -n 5 "$state/$1/console")"
    sleep 2
  done
}

end_machines() {
  local machine pid
  for machine in "$state"/*/machine; do
    if pid=$(recorded "$machine"); then
      kill -KILL "$pid"
      retry 30 gone "$pid" '' || say 'QEMU does not end'
    fi
  done
}

clean() {
  local pids name
  name=$(ns guest)
  end_machines
  pids=$(ip netns pids "$name" 2>/dev/null) || pids=
  [ -z "$pids" ] || kill -KILL $pids 2>/dev/null || true
  [ ! -e "/run/netns/$name" ] || ip netns del "$name"
  rm -rf "$state"
}

# What is left of runs that were killed before they could clean up.
sweep() {
  local owner
  for owner in "${state%/*}"/*/owner; do
    [ -e "$owner" ] && ! recorded "$owner" >/dev/null || continue
    owner=${owner%/owner}
    (prefix=${owner##*/} state=$owner && clean)
  done
}

main() {
  local name=${1:-} image code=0
  [ $# -gt 1 ] && [ -d "$here/devices/guest/$name" ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$here/guest.sh" >&2; exit 64; }
  shift
  [ "$(id -u)" = 0 ] || die 'the lab needs root'
  image=$("$here/guest-image.sh")
  sweep
  mkdir -p "$state/$name"
  record "$state/owner" $$
  trap clean EXIT
  LANWARD_LAB_SITE=guest "$here/root.sh" >"$state/root"
  secrets
  load "$name" "$image"
  wire
  boot "$name" "$image"
  wait_ready "$name"
  export LANWARD_GUEST
  LANWARD_GUEST=$(printf '{"name":"%s","address":"%s","manager":"10.78.0.10","user":"root","keyFile":"%s"}' "$name" "$address" "$state/id_ed25519")
  attended guest "$@" || code=$?
  return "$code"
}

main "$@"
