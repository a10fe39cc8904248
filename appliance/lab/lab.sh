#!/bin/bash
# A site of devices that really run, in network namespaces. The whole site: a gateway, a switch, an access point, two
# clients; a second switch (sw2, Linux with Open vSwitch) and a client on it (c3) are off until somebody puts them on.
# The small site: an access point alone, on a cable to the manager.
#
#   lab.sh up | down | status [--json]      start it, end it, show addresses and credentials
#   lab.sh in DEVICE COMMAND…               run inside a device (gw sw1 ap1 c1 c2 inet; sw2 c3)
#   lab.sh mgr COMMAND…                     run on this machine's files, in the manager's network
#   lab.sh tool COMMAND…                    run a program of the lab's root (snmpwalk, tcpdump …) in the manager's network
#   lab.sh cut | join DEVICE                pull the device's cable, put it back
#   lab.sh reboot | off | on DEVICE         as a person would; on waits until it answers
#   lab.sh reset DEVICE                     back to the factory state (new host keys too), and boot
#   lab.sh run COMMAND…                     a lab for one command, run as by mgr; ended with it unless it was up before
#   lab.sh test [FILE…]                     the tests of tests/lab, or these, in a lab of their own
#   lab.sh sweep                            end what killed runs left behind: labs, processes, temporary files
#
#   10.77.0.0/22: gw .0.1, sw1 .0.2, ap1 .0.3, mgr .0.10, clients by DHCP. In the whole site all hang on the switch:
#   p1 gw, p2 ap1, p3 c1, p4 c2, p5 gw's eth2 (a trunk, when a test makes it one), p6 sw2's p1, p7 sw2's p4 (down: the
#   two would be a loop), p8 mgr. On sw2 (.0.4): p2 c3. Behind gw is "the internet": by eth0 (203.0.113.1)
#   and by eth3 (198.51.100.129, DHCP). Nothing leaves: no namespace has a route out of the lab.
#
# Settings: LANWARD_LAB_SITE (whole, small); LANWARD_LAB_PREFIX (lw) and LANWARD_LAB_DIR (/run/lanward-lab), so that labs
# run side by side; see also root.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# A lab for one run has a name of its own.
case ${1:-} in run | test) export LANWARD_LAB_PREFIX=${LANWARD_LAB_PREFIX:-lwt$$} ;; esac
. "$here/lib.sh"
. "$here/leftovers.sh"
leave_manager "$@"

password=lab-Admin1
declare -A kind=([inet]=busybox [sw1]=busybox [gw]=systemd [ap1]=systemd [c1]=busybox [c2]=busybox [sw2]=systemd [c3]=busybox)
declare -A trees=([inet]='busybox inet' [sw1]='managed busybox sw1' [gw]='managed systemd gw' [ap1]='managed systemd ap1' [c1]='busybox station' [c2]='busybox station' [sw2]='managed systemd sw2' [c3]='busybox station')
declare -A cables=([inet]='eth0 eth1' [sw1]='p1 p2 p3 p4 p5 p6 p7 p8' [gw]='eth0 eth1 eth2 eth3' [ap1]='eth0 wlan0' [c1]=eth0 [c2]=eth0 [sw2]='p1 p2 p3 p4' [c3]=eth0)
declare -A address=([gw]=10.77.0.1 [sw1]=10.77.0.2 [ap1]=10.77.0.3 [sw2]=10.77.0.4)

# The site gives its devices and wire_site: see sites/. A lab that is there stays what it is.
choose_site() {
  site=$1
  [ -e "$here/sites/$site/site.sh" ] || die "no site '$site'"
  . "$here/sites/$site/site.sh"
}
choose_site "$(cat "$state/site" 2>/dev/null || echo "${LANWARD_LAB_SITE:-whole}")"

known() { [[ " $devices $spare " == *" ${1:-none} "* ]] || die "no device '${1:-}': one of $devices $spare"; }
running() { [ -e "$state/up" ] && [ -e "/run/netns/$(ns mgr)" ] && recorded "$state/$first/runner" >/dev/null; }
# All that it can have, whatever its site; a device that is put on has two for a moment.
namespaces() {
  local name
  for name in mgr wires "${!kind[@]}"; do echo "$(ns "$name") $(ns "$name").next"; done
}
must_run() { [ -e "$state/up" ] || die 'the lab is not up'; }

mac() { ip -n "$(ns "$1")" link set "$2" address "02:00:5e:10:00:$3"; }

wire() {
  local device
  for device in wires mgr $devices $spare; do ns_add "$device"; done
  on wires sysctl -qw net.ipv6.conf.default.disable_ipv6=1
  wire_site
  ip -n "$(ns wires)" link set ap1-air up
}

# The manager's place: in the LAN, and a link to this machine; its addresses (198.18.N.0/30, for benchmarks) are of no
# private network, so that a sweep of the LAN leaves it out. No default route.
connect_manager() {
  local n lock
  # One lab at a time looks for a free number and takes it.
  exec {lock}>"${state%/*}/addresses.lock"
  flock "$lock"
  n=$(($(printf %s "$prefix" | cksum | cut -d' ' -f1) % 250 + 1))
  while ip -4 -o addr show | grep -q " 198\.18\.$n\."; do n=$((n % 250 + 1)); done
  ip link add "$prefix-host" type veth peer name host netns "$(ns mgr)"
  ip addr add "198.18.$n.1/30" dev "$prefix-host"
  exec {lock}>&-
  ip link set "$prefix-host" up
  ip -n "$(ns mgr)" addr add "198.18.$n.2/30" dev host
  ip -n "$(ns mgr)" link set host up
  ip -n "$(ns mgr)" addr add 10.77.0.10/22 dev eth0
  ip -n "$(ns mgr)" link set eth0 up
  echo "198.18.$n.2" >"$state/manager"
}

secrets() {
  tool_in "$state" openssl passwd -6 -salt lab "$password" >"$state/password"
  tool_in "$state" ssh-keygen -q -t ed25519 -N '' -C lab -f /mnt/id_ed25519
}

factory() {
  provision "$1" "${kind[$1]}" ${trees[$1]}
  echo "${cables[$1]}" >"$state/$1/cables"
}

ssh_answers() { on mgr timeout 1 bash -c 'read -r line </dev/tcp/$1/22 && [[ $line == SSH-2.0-* ]]' - "$1" 2>/dev/null; }
snmp_answers() { on mgr chroot "$(<"$state/root")" snmpget -v2c -c public -t 1 -r 0 "$1" .1.3.6.1.2.1.1.3.0 >/dev/null 2>&1; }
has_lease() { inside "$1" test -s /run/lease 2>/dev/null; }
serves() { inside "$1" busybox wget -q -O /dev/null http://127.0.0.1/ 2>/dev/null; }
is_ready() {
  case $1 in
    c?) has_lease "$1" ;;
    inet) serves inet ;;
    *) ssh_answers "${address[$1]}" && snmp_answers "${address[$1]}" ;;
  esac
}
wait_ready() { retry 200 is_ready "$1" || die "$1 does not answer after 200 s; $(why_not "$1")"; }

# A systemd takes some 7 inotify instances; where they are used up it hangs in the middle of its start.
why_not() {
  if inside "$1" journalctl -b -q --no-pager 2>/dev/null | grep -q 'inotify.*Too many open files'; then
    echo "this machine has no inotify instances left: end other labs, or sysctl fs.inotify.max_user_instances=512"
  else
    echo "the end of its console: $(tail -n 3 "$state/$1/log")"
  fi
}

up() {
  local device root
  [ "$(id -u)" = 0 ] || die 'the lab needs root'
  root=$("$here/root.sh")
  lock_lab
  if running; then exec 9>&-; return; fi
  clean
  mkdir -p "$state"
  record "$state/owner" $$
  export LANWARD_LAB_OWNER
  LANWARD_LAB_OWNER=$(<"$state/owner")
  choose_site "${LANWARD_LAB_SITE:-whole}"
  echo "$site" >"$state/site"
  echo "$root" >"$state/root"
  trap 'clean; rm -f "$state.lock"; say "not started"' EXIT
  for device in $devices $spare; do mkdir -p "$state/$device"; done
  secrets
  for device in $devices; do factory "$device"; done
  wire
  connect_manager
  for device in $devices; do power_on "$device"; done
  for device in $devices; do wait_ready "$device"; done
  touch "$state/up"
  trap - EXIT
  exec 9>&-
}

# Up until somebody ends it: it belongs to nobody.
up_by_hand() {
  up
  [ "$(recorded "$state/owner")" != $$ ] || rm "$state/owner"
}

# The command's exit code is ours. It has a process group of its own (set -m), to which signals are handed on.
run() {
  local code=0 ours='' child temporary
  sweep
  running || ours=yes
  up
  temporary=$(temporary_base)/lanward-run-$$-$(started $$)
  case ${TMPDIR:-} in
    */lanward-run-*) ;;
    *) mkdir -m 1777 "$temporary"; export TMPDIR=$temporary ;;
  esac
  set -m
  on mgr "$@" <&0 &
  child=$!
  set +m
  trap 'kill -TERM -- "-$child" 2>/dev/null' INT TERM HUP
  wait "$child" || code=$?
  while kill -0 "$child" 2>/dev/null; do code=0; wait "$child" || code=$?; done
  rm -rf "$temporary" || true
  [ -z "$ours" ] || down
  return "$code"
}

# jest in one band: the tests share the lab.
run_tests() {
  local root=$here/../..
  [ $# -gt 0 ] || set -- tests/lab
  cd "$root"
  run node node_modules/jest/bin/jest.js -c tests/jest.config.mjs -i "$@"
}

# Its folder goes last, and of that first what says that it is up: this may be killed, too.
clean() {
  local device name
  rm -f "$state/up"
  for device in "${!kind[@]}"; do power_off "$device"; done
  for name in $(namespaces); do [ ! -e "/run/netns/$name" ] || ip netns del "$name"; done
  for name in "${!kind[@]}"; do rm -rf "/run/systemd/nspawn/propagate/$prefix-$name"; done
  ip link del "$prefix-host" 2>/dev/null || true
  rm -rf "$state"
}

# Whoever had the lock may have removed its file.
lock_lab() {
  mkdir -p "$LANWARD_LAB_DIR"
  until exec 9>"$state.lock" && flock 9 && [ "/dev/fd/9" -ef "$state.lock" ]; do :; done
}

down() {
  lock_lab
  clean
  rm -f "$state.lock"
}

cut_or_join() {
  local how=up
  [ "$1" = join ] || how=down
  case $2 in
    gw | ap1) plug "$2" $how ;;
    sw1) plug mgr $how ;;
    c?) ip -n "$(ns "$2")" link set eth0 $how; [ $how = down ] || ask_again "$2" ;;
    *) ip -n "$(ns "$2")" link set eth0 $how ;;
  esac
}

# A reboot is over when another init than before answers.
reboot() {
  local before
  before=$(init_of "$1") || die "$1 is off"
  inside "$1" sh -c 'sleep 0.1; exec reboot' </dev/null >/dev/null 2>&1 || true
  retry 180 rebooted "$1" "$before" || die "$1 did not reboot"
  wait_ready "$1"
}
rebooted() { local now; now=$(init_of "$1") && [ "$now" != "$2" ]; }

power() {
  case $1 in
    off) power_off "$2" ;;
    on) [ -e "$state/$2/cables" ] || factory "$2"; power_on "$2"; wait_ready "$2" ;;
    reset) power_off "$2"; factory "$2"; power_on "$2"; wait_ready "$2"; [ "$2" != gw ] || ask_again c1 c2 ;;
  esac
}

# For a lease, if they are on and can: a gateway that begins anew knows of none, and a link that went down took the routes.
ask_again() {
  local device
  for device; do inside "$device" sh -c 'rm -f /run/lease; kill $(pgrep udhcpc)' 2>/dev/null || true; done
  for device; do retry 60 has_lease "$device" || true; done
}

status() {
  local device
  if [ "${1:-}" = --json ]; then status_json; return; fi
  running || { echo 'the lab is down'; return 3; }
  for device in gw sw1 ap1; do
    [[ " $devices " == *" $device "* ]] || continue
    printf '%-5s %-11s %s\n' "$device" "${address[$device]}" "$(is_ready "$device" && echo answers || echo 'does not answer')"
  done
  cat <<-END
	mgr   10.77.0.10  from this machine: $(<"$state/manager")
	SSH      root / $password, or the key $state/id_ed25519
	SNMP     v2c public (read), private (write); v3 user lanward, SHA lab-auth-pass, AES lab-priv-pass
	END
}

status_json() {
  local up=false
  ! running || up=true
  cat <<-END
	{
	  "up": $up,
	  "prefix": "$prefix",
	  "state": "$state",
	  "namespace": "$(ns mgr)",
	  "addresses": { "gw": "${address[gw]}", "sw1": "${address[sw1]}", "ap1": "${address[ap1]}", "sw2": "${address[sw2]}", "mgr": "10.77.0.10", "manager": "$(cat "$state/manager" 2>/dev/null)" },
	  "credentials": {
	    "ssh": { "user": "root", "password": "$password", "keyFile": "$state/id_ed25519" },
	    "snmp": { "read": "public", "write": "private" },
	    "snmpV3": { "user": "lanward", "auth": "sha", "authPassword": "lab-auth-pass", "priv": "aes", "privPassword": "lab-priv-pass" }
	  }
	}
	END
}

main() {
  local command=${1:-}
  shift || true
  case $command in
    up) up_by_hand ;;
    down | sweep) "$command" ;;
    status) status "$@" ;;
    run) run "$@" ;;
    test) run_tests "$@" ;;
    in) must_run; known "${1:-}"; inside "$@" ;;
    mgr) must_run; exec ip netns exec "$(ns mgr)" "$@" ;;
    tool) must_run; exec ip netns exec "$(ns mgr)" "${box[@]}" "$state" "$(<"$state/root")" "$@" ;;
    cut | join) must_run; known "${1:-}"; cut_or_join "$command" "$1" ;;
    reboot) must_run; known "${1:-}"; reboot "$1" ;;
    on | off | reset) must_run; known "${1:-}"; power "$command" "$1" ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$here/lab.sh" >&2; exit 64 ;;
  esac
}

main "$@"
