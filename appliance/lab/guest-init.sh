#!/bin/busybox sh
# The first process of a guest: mounts the disk, lays the factory state on it when it starts for the first time, and hands over.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
for module in /modules/*; do insmod "$module"; done
mount -t ext4 -o noatime /dev/vda /disk
if [ ! -e /disk/etc/lab/started ]; then
  cp -a /factory/. /disk/
  mkdir -p /disk/etc/lab
  touch /disk/etc/lab/started
fi
for place in dev sys proc; do mount -o move "/$place" "/disk/$place"; done
exec switch_root /disk /sbin/init
