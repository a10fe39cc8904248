#!/bin/sh
# boot-busybox.sh NAME ROOT LOWER HOME: in new mount, uts and pid namespaces; makes the device's root and becomes its init.
set -e
name=$1 root=$2 lower=$3 home=$4
hostname "$name"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$home/upper,workdir=$home/work" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero random urandom full tty; do
  touch "dev/$node"
  mount --bind "/dev/$node" "dev/$node"
done
mkdir -p dev/net dev/pts dev/shm
if [ -c /dev/net/tun ]; then touch dev/net/tun; mount --bind /dev/net/tun dev/net/tun; fi
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
pivot_root . mnt
umount -l /mnt
exec </dev/null >/run/console 2>&1
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=/root MIBS= busybox init
