# The lab's primitives, sourced by lab.sh and device.sh.
# A device is a network namespace, an overlay over the lab's root, and an init of its own as pid 1. Cables are veth pairs.
# Names of namespaces begin with the lab's prefix, all files are in $state: several labs can run side by side.
export MIBS=
export LANWARD_LAB_PREFIX=${LANWARD_LAB_PREFIX:-lw} LANWARD_LAB_DIR=${LANWARD_LAB_DIR:-/run/lanward-lab}
use_lab() { LANWARD_LAB_PREFIX=$1 prefix=$1 state=$LANWARD_LAB_DIR/$1; }
use_lab "$LANWARD_LAB_PREFIX"
PATH=$PATH:/usr/sbin:/sbin

say() { printf 'lab: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# retry SECONDS COMMAND…: runs it every 0.1 s until it succeeds; fails when the time is over.
retry() {
  local end=$((${EPOCHREALTIME/./} + $1 * 1000000))
  shift
  until "$@"; do
    [ "${EPOCHREALTIME/./}" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# --- processes: a record is "PID START", so that a number used again by a stranger is never taken for ours
# started PID: when it began, in clock ticks since boot; nothing for one that is gone or only waits to be reaped.
started() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  read -ra fields <<<"${stat##*) }"
  [ "${fields[0]}" = Z ] || echo "${fields[19]}"
}
# Another lab may read one at any moment: half written it would be of one that ended.
record() { echo "$2 $(started "$2")" >"$1.$BASHPID" && mv -f "$1.$BASHPID" "$1"; }
recorded() {
  local pid start
  { read -r pid start <"$1"; } 2>/dev/null && [ -n "$start" ] && [ "$(started "$pid")" = "$start" ] && echo "$pid"
}

# --- namespaces and cables
ns() { echo "$prefix-$1"; }
on() { local name=$1; shift; ip netns exec "$(ns "$name")" "$@"; }
ns_add() {
  ip netns add "$(ns "$1")"
  ip -n "$(ns "$1")" link set lo up
}
# pair NS1 IF1 NS2 IF2: a veth pair; both ends are down.
pair() { ip link add "$2" netns "$(ns "$1")" type veth peer name "$4" netns "$(ns "$3")"; }

# cable DEVICE IF DEVICE2 PORT: through a bridge of two ports in the wiring namespace, so that pulling it takes the
# carrier from both ends and changes the administrative state of neither. LLDP passes (group_fwd_mask).
cable() {
  local bridge=x-$1 wiring
  wiring=$(ns wires)
  pair "$1" "$2" wires "$1-a"
  pair "$3" "$4" wires "$1-b"
  ip -n "$wiring" link add "$bridge" type bridge stp_state 0 forward_delay 0 group_fwd_mask 0x4000
  ip -n "$wiring" link set "$1-a" master "$bridge" up
  ip -n "$wiring" link set "$1-b" master "$bridge" up
  ip -n "$wiring" link set "$bridge" up
}

# plug cable NAME up|down
plug() {
  ip -n "$(ns wires)" link set "$1-a" "$2"
  ip -n "$(ns wires)" link set "$1-b" "$2"
}

# Power-on gives a device a new namespace: its cables move over with their addresses and ifIndex, all else
# (addresses, aliases, routes, bridges, firewall, sysctls) is gone as after a real reboot.
ns_renew() {
  local old new link
  old=$(ns "$1") new=$old.next
  ip netns add "$new"
  ip -n "$new" link set lo up
  for link in $(<"$state/$1/cables"); do
    ip -n "$old" link set "$link" alias ''
    ip -n "$old" link set "$link" netns "$new"
  done
  ip netns del "$old"
  touch "/run/netns/$old"
  mount --bind "/run/netns/$new" "/run/netns/$old"
  umount "/run/netns/$new"
  rm -f "/run/netns/$new"
}

# Called from a manager's network (a test runs there), lab.sh still has to work from this machine's namespaces: mounts
# made elsewhere would be seen by nobody. The runners of that lab's devices live in them.
leave_manager() {
  local here_ns home runner pid mounts net
  here_ns=$(stat -Lc %i /proc/self/ns/net)
  for home in "$LANWARD_LAB_DIR"/*/; do
    home=${home%/}
    [ "$(stat -Lc %i "/run/netns/${home##*/}-mgr" 2>/dev/null)" = "$here_ns" ] || continue
    for runner in "$home"/*/runner; do
      # Another call may switch that device off in this moment: what is open stays.
      if pid=$(recorded "$runner") && { exec {mounts}<"/proc/$pid/ns/mnt" {net}<"/proc/$pid/ns/net"; } 2>/dev/null; then
        exec nsenter --mount="/proc/self/fd/$mounts" --net="/proc/self/fd/$net" --wd="$PWD" "$here/lab.sh" "$@"
      fi
    done
    die 'all devices are off: call lab.sh from outside of the lab'
  done
}

# --- the lab's root, used as a tool box: "${box[@]}" FOLDER ROOT COMMAND… runs the root's program, the folder at /mnt
box=(unshare -m --propagation private sh -c '
  mount --bind "$1" "$2/mnt" && mount --rbind /dev "$2/dev" && mount --rbind /proc "$2/proc" || exit 125
  root=$2; shift 2; exec chroot "$root" "$@"' sh)
tool_in() { local folder=$1; shift; "${box[@]}" "$folder" "$(<"$state/root")" "$@"; }

# --- devices
# The pid of a device's init, while it runs; its runner may not have noted it yet.
init_of() {
  local runner
  recorded "$state/$1/init" && return 0
  runner=$(recorded "$state/$1/runner") && note_init "$1" "$runner" && recorded "$state/$1/init"
}

# note_init NAME PID: finds and records the init that PID boots: the descendant that is number 1 in its pid namespace.
note_init() {
  local pids=$2 pid next
  while [ -n "${pids// /}" ]; do
    next=
    for pid in $pids; do
      if grep -qsE '^NSpid:\s+[0-9]+\s+1$' "/proc/$pid/status"; then record "$state/$1/init" "$pid"; return 0; fi
      next+=" $(pgrep -P "$pid" | tr '\n' ' ')"
    done
    pids=$next
  done
  [ -z "$(started "$2")" ]
}

# inside DEVICE COMMAND…: in all its namespaces and its file system; 125 when the device is off.
inside() {
  local pid
  pid=$(init_of "$1") || { say "$1 is off"; return 125; }
  shift
  nsenter -t "$pid" -m -u -i -n -p -r -w env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=/root \
    TERM="${TERM:-dumb}" MIBS= "$@"
}

# Control groups of a device, in each hierarchy that systemd uses, on a machine that is not run by systemd.
cgroups() {
  local base
  for base in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
    [ ! -e "$base/cgroup.procs" ] || echo "$base/lanward-$prefix-$1"
  done
}
join_cgroups() {
  local group
  for group in $(cgroups "$1"); do mkdir -p "$group" && echo $$ >"$group/cgroup.procs" || return 1; done
}
# A group can be removed only when the last of its processes is gone.
drop_cgroups() {
  local group
  for group in $(cgroups "$1"); do
    retry 30 rmdir_tree "$group" || say "$group is still in use"
  done
}
rmdir_tree() { [ ! -d "$1" ] || find "$1" -depth -type d -exec rmdir {} + 2>/dev/null; }

# provision NAME KIND TREE…: the factory state of a device: the trees under devices/, an identity, credentials.
provision() {
  local name=$1 kind=$2 home=$state/$1 upper=$state/$1/upper tree unit
  shift 2
  rm -rf "$home/upper" "$home/work" "$home/root"
  mkdir -p "$upper/etc" "$home/work" "$home/root"
  for tree; do [ ! -d "$here/devices/$tree" ] || cp -a "$here/devices/$tree/." "$upper/"; done
  chown -R 0:0 "$upper"
  echo "$name" >"$upper/etc/hostname"
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$name" >"$upper/etc/hosts"
  tr -d - </proc/sys/kernel/random/uuid >"$upper/etc/machine-id"
  install -d -m 700 "$upper/root" "$upper/root/.ssh"
  install -m 600 "$state/id_ed25519.pub" "$upper/root/.ssh/authorized_keys"
  (umask 077 && sed "s|^root:[^:]*:|root:$(<"$state/password"):|" "$(<"$state/root")/etc/shadow" >"$upper/etc/shadow")
  echo "$kind" >"$home/kind"
  [ "$kind" = systemd ] || return 0
  for unit in ed25519 ecdsa; do
    tool_in "$upper" ssh-keygen -q -t "$unit" -N '' -C "root@$name" -f "/mnt/etc/ssh/ssh_host_${unit}_key"
  done
  mkdir -p "$upper/etc/systemd/system/multi-user.target.wants"
  for unit in $(<"$upper/units"); do
    ln -s "/lib/systemd/system/$unit.service" "$upper/etc/systemd/system/multi-user.target.wants/"
  done
  rm "$upper/units"
}

# power_on NAME: starts the runner, which boots the device and boots it again after a reboot inside.
power_on() {
  ! recorded "$state/$1/runner" >/dev/null || return 0
  setsid "$here/device.sh" "$1" </dev/null >"$state/$1/log" 2>&1 9>&- &
  record "$state/$1/runner" $!
  disown
}

# power_off NAME: as when the plug is pulled. The init is ended by its own record: it may have outlived its runner.
power_off() {
  local runner init
  if runner=$(recorded "$state/$1/runner"); then kill -STOP "$runner" 2>/dev/null || true; fi
  if init=$(init_of "$1"); then kill -KILL "$init" 2>/dev/null || true; fi
  [ -z "$runner" ] || kill -KILL -- "-$runner" 2>/dev/null || true
  retry 30 gone "$runner" "$init" || say "$1 does not go off"
  rm -f "$state/$1/runner" "$state/$1/init"
  drop_cgroups "$1"
}
gone() { [ -z "$1$2" ] || [ -z "$(started "${1:-none}")$(started "${2:-none}")" ]; }
