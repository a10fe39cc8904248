#!/bin/bash
# device.sh NAME: runs one device until it is switched off; its init's exit says whether it wants to boot again.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
name=$1 home=$state/$1
root=$home/root lower=$(<"$state/root")

overlay() { mount -t overlay overlay -o "lowerdir=$lower,upperdir=$home/upper,workdir=$home/work" "$root"; }

# A Debian with systemd, as on a user's box. Exit 133 is a reboot.
boot_systemd() {
  local launch=() options=()
  # Two systemds in one control group would end each other's services: a device has a group of its own.
  if [ -d /run/systemd/system ]; then
    launch=(systemd-run --quiet --scope --collect --property=Delegate=yes)
  else
    drop_cgroups "$name"
    join_cgroups "$name" || exit 1
  fi
  [ ! -c /dev/net/tun ] || options+=(--bind=/dev/net/tun)
  overlay || exit 1
  SYSTEMD_NSPAWN_LOCK=0 SYSTEMD_NSPAWN_API_VFS_WRITABLE=network exec "${launch[@]}" systemd-nspawn --quiet --boot --directory="$root" \
    --register=no --keep-unit --machine="$prefix-$name" --hostname="$name" "${options[@]}" \
    --network-namespace-path="/run/netns/$prefix-$name" --capability=CAP_NET_ADMIN,CAP_NET_RAW \
    --resolv-conf=off --timezone=off --link-journal=no --console=pipe
}

# A small device with busybox as init. Its reboot(8) ends the pid namespace by SIGHUP: exit 129.
boot_busybox() {
  exec ip netns exec "$prefix-$name" unshare -m -u -i -p -f --kill-child --propagation private "$here/boot-busybox.sh" \
    "$name" "$root" "$lower" "$home"
}

# Should this runner be killed, what it boots goes with it (pdeathsig).
power_cycle() {
  local booting
  ns_renew "$name" || return 1
  setpriv --pdeathsig KILL unshare -m --propagation private "${BASH_SOURCE[0]}" "$name" boot &
  booting=$!
  retry 20 note_init "$name" "$booting"
  wait "$booting"
}

if [ "${2:-}" = boot ]; then "boot_$(<"$home/kind")"; fi
while :; do
  power_cycle
  code=$?
  echo "$name: init ended with $code"
  case $code in 129 | 133) ;; *) exit "$code" ;; esac
done
