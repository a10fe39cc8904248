import type { PortProfileFields } from '@/model/profiles/port'
import { mirrorPath } from '../uci/files'

// Copies of what passes a port, by tc: netifd has no section for them. A script sets them after each change and after each
// start of the network, and takes back what it set before.

/** Port, observation port, way. */
export type Copied = { port: string; observer: string; traffic: PortProfileFields['mirrorTraffic'] }

/** Takes back what is set; also where the script itself is gone. */
const end = `kept=/tmp/lanward-mirror
for f in $kept/*; do
  [ -e "$f" ] || continue
  p=\${f##*/}
  for way in ingress egress; do tc filter del dev "$p" "$way" pref 19543 2>/dev/null; done
  [ "$(cat "$f")" != ours ] || tc qdisc del dev "$p" clsact 2>/dev/null
  rm -f "$f"
done
`

export const mirrorText = (all: readonly Copied[]): string => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
${end}mkdir -p $kept
copy() {
  tc filter add dev "$1" "$2" pref 19543 matchall action mirred egress mirror dev "$3" 2>/dev/null ||
    tc filter add dev "$1" "$2" pref 19543 protocol all u32 match u32 0 0 action mirred egress mirror dev "$3"
}
mirror() {
  [ -e "/sys/class/net/$1" ] && [ -e "/sys/class/net/$2" ] || return 0
  whose=theirs
  tc qdisc show dev "$1" | grep -q '^qdisc clsact' || { tc qdisc add dev "$1" clsact && whose=ours; } || return 1
  echo $whose >"$kept/$1"
  [ "$3" = out ] || copy "$1" ingress "$2" || return 1
  [ "$3" = in ] || copy "$1" egress "$2"
}
code=0
${all.map(({ port, observer, traffic }) => `mirror ${port} ${observer} ${traffic} || code=1\n`).join('')}exit $code
`

/** The network starts again with each interface that comes up; a port that came back has no copies. */
export const mirrorHook = `[ "$ACTION" != ifup ] || sh ${mirrorPath}\n`

export const followMirror = `if [ -e ${mirrorPath} ]; then sh ${mirrorPath}; else
${end}fi`
