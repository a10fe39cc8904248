import type { WanReading } from '../../observation'
import { lines } from '../../unix/text'

// The script that keeps traffic on the ways that work. It owns the routing tables from 7700 on, the rules with
// preferences from 28000 to 30001, and every route of protocol 77; nothing else is changed by it.

/** One way out, as the script knows it. `targets`: answered pings prove it; empty: its gateway's. */
export type Way = {
  document: string
  interface: string
  metric: number
  weight: number
  targets: readonly string[]
}
/** A destination by a gateway, or by one of the ways (its number). */
export type StaticRoute = { destination: string; gateway: string; metric: number }
/** What comes from `source` and goes to `destination` leaves by a way. */
export type PolicyRoute = { source?: string; destination?: string; way: number }
/** What comes from the segments takes these ways: the first that works, or all that work; `strict`: else none. */
export type Choice = {
  segments: readonly string[]
  ways: readonly number[]
  mode: 'failover' | 'balance'
  strict: boolean
}
export type Paths = {
  ways: readonly Way[]
  routes: readonly StaticRoute[]
  policies: readonly PolicyRoute[]
  choices: readonly Choice[]
}

export const pathsScriptPath = '/etc/lanward/paths.sh'
export const pathsName = 'lanward-paths'

/** Takes away everything that is the script's. */
export const removePaths = `
for pref in $(ip rule show 2>/dev/null | sed -n 's/^\\(27999\\|2[89][0-9][0-9][0-9]\\|3000[01]\\):.*/\\1/p'); do ip rule del pref "$pref" 2>/dev/null; done
ip route flush table main proto 77 2>/dev/null
for table in $(ip -4 route show table all proto 77 2>/dev/null | sed -n 's/.* table \\(77[0-9][0-9]\\).*/\\1/p' | sort -u); do ip route flush table "$table" 2>/dev/null; done
rm -rf /run/lanward-paths`

const wayLine = ({ document, interface: name, metric, weight, targets }: Way, at: number) =>
  `  round ${at + 1} ${document} ${name} ${metric} ${weight} ${targets.join(' ')}`.trimEnd()

/** Rounds that are remembered of each way, as digits. */
const rounds = 60

/** The last `count` times of answers in ms, on average, and by how much each differed from the one before. */
function timesOf(text: string, count: number): Pick<WanReading, 'latencyMs' | 'jitterMs'> {
  const kept = text
    .split(',')
    .filter(Boolean)
    .map(Number)
    .filter(one => one >= 0 && one < 60_000)
  const all = kept.slice(Math.max(0, kept.length - count))
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const steps = all.slice(1).map((one, at) => Math.abs(one - (all[at] ?? one)))
  return {
    ...(all.length > 0 && { latencyMs: mean(all) }),
    ...(steps.length > 0 && { jitterMs: mean(steps) }),
  }
}

/**
 * What the script keeps of each way in /run/lanward-paths: `DOCUMENT UP ROUNDS TIMES`, the newest round last. TIMES, ms of
 * the answers among them, is absent where none came, and of a script of before.
 */
export function readUplinks(text: string | undefined): WanReading[] | undefined {
  const found = lines(text).flatMap((line): WanReading[] => {
    const [, document, up, last = '', times = ''] =
      /^(\S{1,64}) ([01]) ([01]{1,60})(?: ([\d.,]{1,600}))?$/.exec(line) ?? []
    if (document === undefined) return []
    const lost = [...last].filter(one => one === '0').length
    // Times of answers of longer ago say nothing of a way that answers no more.
    const told = timesOf(times, last.length - lost)
    return [{ document, up: up === '1', lossPercent: (lost / last.length) * 100, ...told }]
  })
  return text === undefined ? undefined : found
}

const routeLine = ({ destination, gateway, metric }: StaticRoute) =>
  `  ip route replace ${destination} via ${gateway} metric ${metric} proto 77 2>/dev/null`

// A packet that no way can take falls through to what the device itself would do.
const policyLine = ({ source, destination, way }: PolicyRoute, at: number) =>
  `  rule ${28_000 + at} from ${source ?? 'all'}${destination ? ` to ${destination}` : ''} lookup ${7701 + way}`

const choiceTable = (at: number) => 7710 + at

const choiceLines = ({ segments, ways, mode, strict }: Choice, at: number) => [
  `  choose ${choiceTable(at)} ${mode} ${strict ? 'strict' : 'open'} ${ways.map(way => way + 1).join(' ')}`,
  // A single address is shown without its prefix.
  `  from ${28_500 + at} ${choiceTable(at)} ${segments.map(one => one.replace(/\/32$/, '')).join(' ')}`,
]

/**
 * A way counts as lost after three rounds without an answer and as back after two with one. Those of the best metric
 * that work share the traffic by weight. Every round says all of it again: networkd takes away rules and routes that
 * are not its own whenever it sets up an interface.
 */
export const pathsScript = ({ ways, routes, policies, choices }: Paths): string => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
remove() {${removePaths}
}
trap 'remove; exit 0' TERM INT
remove
mkdir -p /run/lanward-paths
was=
rule() { pref=$1; shift; ip rule show | grep -q "^$pref:" || ip rule add pref "$pref" "$@"; }
# from PREF TABLE SEGMENT…: what comes from there looks there.
from() {
  pref=$1 table=$2; shift 2
  for segment; do case $rules in *"$pref:"?"from $segment lookup "*) ;; *) ip rule add pref "$pref" from "$segment" lookup "$table" ;; esac; done
}
# choose TABLE failover|balance strict|open NUMBER…: the table leads by the ways that work.
choose() {
  table=$1 mode=$2 strict=$3 chosen=; shift 3
  for number; do
    eval "hop=\\\${hop_$number:-}"
    [ -z "$hop" ] || { [ "$mode" = failover ] && [ -n "$chosen" ]; } || chosen="$chosen $hop"
  done
  eval "had=\\\${had_$table:-}"
  if [ -n "$chosen" ]; then
    [ "$chosen" = "$had" ] && ip route show table "$table" 2>/dev/null | grep -q default || ip route replace default table "$table" proto 77 $chosen 2>/dev/null
  elif [ "$strict" = strict ]; then ip route replace unreachable default table "$table" proto 77 2>/dev/null
  else ip route flush table "$table" 2>/dev/null; fi
  eval "had_$table=\\$chosen"
}
# answers INTERFACE GATEWAY TARGET…: all are asked at once; took, how long the first answer did, in ms. A target that is
# far away, or loses packets of its own, says nothing of the way.
answers() {
  name=$1 via=$2 took=; shift 2
  [ "$(cat "/sys/class/net/$name/carrier" 2>/dev/null)" = 1 ] && [ -n "$via" ] || return 1
  [ $# -gt 0 ] || set -- "$via"
  took=$(for target; do ping -n -q -I "$name" -c 1 -W 1 "$target" 2>/dev/null | sed -n 's|^r.* = \\([0-9.]*\\)/.*|\\1|p' & done | LC_ALL=C sort -n | head -n 1)
  [ -n "$took" ]
}
# judge NUMBER WORKS: counts in bad_NUMBER and good_NUMBER, sets up_NUMBER; at the start the first answer decides.
judge() {
  eval "good=\\\${good_$1:-1} bad=\\\${bad_$1:-2} up=\\\${up_$1:-0}"
  if [ "$2" = yes ]; then bad=0 good=$((good + 1)); else good=0 bad=$((bad + 1)); fi
  [ $good -lt 2 ] || up=1
  [ $bad -lt 3 ] || up=0
  eval "good_$1=$good bad_$1=$bad up_$1=$up"
}
# round NUMBER DOCUMENT INTERFACE METRIC WEIGHT TARGET…
round() {
  number=$1 document=$2 link=$3 metric=$4 weight=$5 table=$((7700 + $1)); shift 5
  gateway=$(ip -4 route show default dev "$link" table main | sed -n 's/.* via \\([0-9.]*\\).*/\\1/p' | head -n 1)
  # At the other end of a point-to-point link there is no other router.
  [ -n "$gateway" ] || gateway=$(ip -4 -o addr show dev "$link" 2>/dev/null | sed -n 's/.* peer \\([0-9.]*\\).*/\\1/p' | head -n 1)
  if answers "$link" "$gateway" "$@"; then judge $number yes; now=1; else judge $number no; now=0; fi
  eval "up=\\$up_$number last=\\\${last_$number:-}$now"
  [ "\${#last}" -le ${rounds} ] || last=\${last#?}
  eval "last_$number=$last times=\\\${times_$number:-}"
  # About as many times as rounds; one without an answer has none.
  [ -z "$took" ] || times=$times$took,
  while [ "\${#times}" -gt ${rounds * 7} ]; do times=\${times#*,}; done
  eval "times_$number=$times"
  echo "$document $up $last\${times:+ \${times%,}}" >"/run/lanward-paths/.new" && mv -f "/run/lanward-paths/.new" "/run/lanward-paths/$link"
  own=$(ip -4 -o addr show dev "$link" scope global 2>/dev/null | sed -n 's/.* inet \\([0-9.]*\\).*/\\1/p' | head -n 1)
  # What came in by a way is answered by it.
  ip rule show | grep -q "^$((29000 + number)):.*from $own " || { ip rule del pref $((29000 + number)) 2>/dev/null; [ -z "$own" ] || ip rule add pref $((29000 + number)) from "$own" lookup $table; }
  eval "hop_$number="
  if [ "$up" = 0 ]; then ip route flush table $table 2>/dev/null; return; fi
  hop="nexthop via $gateway dev $link weight $weight onlink"
  eval "hop_$number=\\$hop"
  ip route replace default via "$gateway" dev "$link" table $table onlink proto 77 2>/dev/null
  [ -z "$best" ] || [ "$best" = "$metric" ] || return
  best=$metric hops="$hops $hop"
}
while :; do
  best= hops= rules=$(ip rule show)
  # Replies to the own networks never leave by a way out.
  rule 27999 lookup main suppress_prefixlength 0
${ways.map(wayLine).join('\n')}
${policies.map(policyLine).join('\n')}
${choices.flatMap(choiceLines).join('\n')}
${ways.length > 0 ? '  rule 30001 lookup 7700' : ''}
${routes.map(routeLine).join('\n')}
  if [ "$hops" != "$was" ] || ! ip route show table 7700 2>/dev/null | grep -q default; then
    if [ -n "$hops" ]; then ip route replace default table 7700 proto 77 $hops 2>/dev/null; else ip route flush table 7700 2>/dev/null; fi
    [ -z "$hops" ] || sysctl -qw net.ipv4.fib_multipath_hash_policy=1 2>/dev/null
    was=$hops
  fi
  sleep 1
done
`

export const pathsUnitText = `[Unit]
Description=Ways to the internet and routes, as set in Lanward
After=network.target
ConditionPathExists=${pathsScriptPath}
StartLimitIntervalSec=0

[Service]
ExecStart=/bin/sh ${pathsScriptPath}
Restart=always
RestartSec=2
`
