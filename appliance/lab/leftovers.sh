# What killed runs left behind; sourced by lab.sh. The owner of a lab is recorded before the first of its parts is made,
# and whatever is started for it carries the owner's record in its environment. A folder for temporary files has its
# owner's record in its name, and whoever works in it has it as TMPDIR.

# end_all COMMAND…: kills the processes that the command lists, again until it lists none: some may just begin another.
end_all() { retry 30 none_left "$@" || say "processes do not end: $("$@" | xargs)"; }
none_left() {
  local pids
  pids=$("$@")
  [ -z "$pids" ] || { kill -KILL $pids 2>/dev/null || true; return 1; }
}
marked() { grep -lzxF "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 || true; }
in_namespaces() {
  local name
  for name in $(namespaces); do [ ! -e "/run/netns/$name" ] || ip netns pids "$name" 2>/dev/null || true; done
}

# Whether this lab's owner was killed, also before it could record itself. A lab that is up without one is somebody's
# who ends it by hand.
abandoned() {
  if [ -e "$state/owner" ]; then ! recorded "$state/owner" >/dev/null; return; fi
  [ ! -e "$state/up" ] && flock -n "$state.lock" true
}

end_abandoned() {
  abandoned || return 0
  # One that is killed may hold the lock.
  [ ! -e "$state/owner" ] || end_all marked "LANWARD_LAB_OWNER=$(<"$state/owner")"
  lock_lab
  # Another may have ended it meanwhile, and a third begun one of the same name.
  if [ ! -e "$state/owner" ] && [ ! -e "$state/up" ] || abandoned; then
    end_all in_namespaces
    clean
    rm -f "$state.lock"
  fi
}

temporary_base() { local base=${TMPDIR:-/tmp}; echo "${base%/lanward-run-*}"; }

# sweep: ends labs whose owner was killed, and removes what runs that were killed left in the temporary folder.
sweep() {
  local name path pid
  for path in "$LANWARD_LAB_DIR"/*/ "$LANWARD_LAB_DIR"/*.lock; do
    name=${path%/}
    name=${name%.lock}
    [ -e "$path" ] && [ "$name" != "$LANWARD_LAB_DIR/addresses" ] || continue
    (use_lab "${name##*/}" && end_abandoned)
  done
  for path in "$(temporary_base)"/lanward-run-*-*; do
    pid=${path##*/lanward-run-}
    [ -d "$path" ] && [ "$(started "${pid%-*}")" != "${pid#*-}" ] || continue
    end_all marked "TMPDIR=$path"
    rm -rf --one-file-system "$path"
  done
}
