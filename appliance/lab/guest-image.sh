#!/bin/bash
# guest-image.sh: makes what guests under QEMU start from, out of the lab's root, once, and prints where it is: `vmlinux`,
# the folder `initrd` and the file system `disk`. The folder's name carries a hash of all that decides its content.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cache=${LANWARD_LAB_CACHE:-/var/cache/lanward-lab}

# An ELF file, which QEMU enters directly: to unpack it under emulation takes longer than the rest of the kernel's start.
plain_kernel() {
  local root=$1 to=$2 packed=$1/srv/kernel/vmlinuz at
  for at in $(LC_ALL=C grep -aboP '\xfd7zXZ\x00' "$packed" | cut -d: -f1); do
    # What follows the stream is no part of it, which xz calls an error.
    tail -c "+$((at + 1))" "$packed" | chroot "$root" xz -dc >"$to" 2>/dev/null || true
    [ "$(head -c 4 "$to" | tail -c 3)" != ELF ] || return 0
  done
  die 'the kernel is not packed by xz'
}

# What the first process needs: busybox with its libraries, and the modules of the disk in the order of their needs.
first_files() {
  local root=$1 to=$2 file at=100
  mkdir -p "$to"/{bin,proc,sys,dev,disk,modules,factory}
  for file in /bin/busybox $(chroot "$root" ldd /bin/busybox | grep -o '/[^ ]*'); do
    mkdir -p "$to${file%/*}"
    cp -L "$root$file" "$to$file"
  done
  for file in $(for file in virtio_pci virtio_blk virtio_rng crc32c_generic ext4; do
    chroot "$root" modprobe -d /srv/kernel -S "$(ls "$root/srv/kernel/lib/modules")" --show-depends "$file"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'); do
    cp "$root$file" "$to/modules/$at-${file##*/}"
    at=$((at + 1))
  done
  install -m 755 "$here/guest-init.sh" "$to/init"
}

# The root with the kernel's modules, without what only this machine runs of it, and what nobody reads there.
disk() {
  local root=$1 work=$2
  mkdir "$work"/{upper,work,merged}
  mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/work" "$work/merged"
  mv "$work/merged/srv/kernel/lib/modules" "$work/merged/usr/lib/"
  rm -rf "$work"/merged/{srv/kernel,usr/share/{doc,man,locale,info,qemu,seabios},usr/lib/ipxe} "$work"/merged/usr/bin/{prometheus,victoria-metrics,qemu-*}
  mount --rbind "$work" "$root/mnt"
  chroot "$root" mke2fs -q -t ext4 -E lazy_itable_init=0,lazy_journal_init=0 -d /mnt/merged /mnt/image/disk 2g >"$cache/build.log" 2>&1 ||
    die "the guests' disk could not be made; see $cache/build.log"
}

make() {
  local root=$1 image=$2 work
  rm -rf "$cache"/image.??????
  work=$(mktemp -d "$cache/image.XXXXXX")
  trap "rm -rf '$work'" EXIT
  say "making what guests start from in $image (about half a minute, once)"
  mkdir "$work/image"
  plain_kernel "$root" "$work/image/vmlinux"
  first_files "$root" "$work/image/initrd"
  unshare -m --propagation private "${BASH_SOURCE[0]}" disk "$root" "$work"
  mv -T "$work/image" "$image"
}

main() {
  local root image lock
  root=$(LANWARD_LAB_SITE=guest "$here/root.sh")
  image=$cache/guest-$( (echo "$root"; cat "${BASH_SOURCE[0]}" "$here/guest-init.sh") | sha256sum | cut -c1-12)
  if [ ! -d "$image" ]; then
    [ "$(id -u)" = 0 ] || die 'the lab needs root'
    exec {lock}>"$cache/lock"
    flock "$lock"
    [ -d "$image" ] || make "$root" "$image"
  fi
  printf '%s\n' "$image"
}

if [ "${1:-}" = disk ]; then disk "$2" "$3"; else main; fi
