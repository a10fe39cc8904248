import { onNow } from '../../unix/schedules'

// What a device asks its own clock: which schedules are on, and what follows from it for the files that name them.

export const scheduleList = '/etc/lanward/schedules'
export const scheduleScript = '/etc/lanward/schedule.sh'

// A rule's line is left out while its schedule is off. A network stays in its place, so that the others keep their
// interfaces, and is not sent out; with all of them off there is nothing to run hostapd for.
const rules = `match($0, / # schedule s[0-9a-f]+$/) && !index(on, " " substr($0, RSTART + 12) " ") { next } { print }`
const networks = `
/^ssid2=/ { all++ }
/^# schedule / && !index(on, " " $3 " ") { off++; print "start_disabled=1"; next }
{ print }
END { exit all > 0 && off == all }`

/**
 * `load FILE`: the file's rules that hold now. `radio NAME`: the radio's networks that are sent out now; status 1 where
 * it has none. `tick`: both again for all, where something has changed since.
 */
export const scheduleText = `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
umask 077
run=/run/lanward
mkdir -p $run || exit 255
on=$(date '+%F %u %H:%M' | { read -r date day time; awk -v date="$date" -v day="$day" -v time="$time" '${onNow}' ${scheduleList}; }) || exit 255
load() {
  out=$run/\${1##*/}
  awk -v on="$on" '${rules}' "$1" >"$out.new" && nft -f "$out.new" && mv -f "$out.new" "$out"
}
radio() { awk -v on="$on" '${networks}' "/etc/hostapd/lanward-$1.conf" >"$run/hostapd-$1.$2"; }
changed() { ! cmp -s "$1" "$2"; }
tick() {
  for file in /etc/lanward/*.nft; do
    name=\${file##*/}; name=\${name%.nft}
    grep -q ' # schedule s' "$file" 2>/dev/null && systemctl -q is-active "lanward-$name.service" || continue
    awk -v on="$on" '${rules}' "$file" >"$run/$name.now"
    ! changed "$run/$name.now" "$run/$name.nft" || load "$file" || failed=1
    rm -f "$run/$name.now"
  done
  for file in /etc/hostapd/lanward-*.conf; do
    name=\${file##*/lanward-}; name=\${name%.conf}
    grep -q '^# schedule s' "$file" 2>/dev/null || continue
    radio "$name" now
    ! changed "$run/hostapd-$name.now" "$run/hostapd-$name.conf" || systemctl restart "lanward-hostapd@$name.service" || failed=1
    rm -f "$run/hostapd-$name.now"
  done
}
failed=0
case $1 in
load) load "$2" || failed=1 ;;
radio) radio "$2" conf || failed=1 ;;
tick) tick ;;
esac
exit $failed
`
