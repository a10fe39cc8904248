import { handle } from './bandwidth'
import { admitted, away, classLine, type Held, leafLine, rateLine } from './gate-lines'
import { gateTable } from './gate-rules'

// Who is in outlives a restart of the device: each admission and each end is a line of a file, from which a script lets
// everybody in again. Bytes that were used before count no more there; whoever let a guest in knows them.

/** One who came in; `end` is in Unix seconds by the device's clock. A rate is `class:8000`, `limit:8000` or `-`, in kbit/s. */
const columns = ['word', 'link', 'mac', 'mark', 'quota', 'bytes', 'idle', 'down', 'up', 'end'] as const

type KeptGuest = {
  link: string
  mac: string
  mark: number
  quota: string
  bytes: number
  idleSeconds: number
  down?: Held
  up?: Held
  seconds: number
}
const rate = (held: Held | undefined) => (held ? `${held.by}:${held.kbps}` : '-')

/** Lines for `keepText`: the last column of one who comes in is yet the seconds left. */
export const keptIn = (one: KeptGuest): string =>
  [
    ...['+', one.link, one.mac, one.mark, one.quota, one.bytes, one.idleSeconds],
    ...[rate(one.down), rate(one.up), one.seconds],
  ].join(' ')
export const keptOut = ({ link, mac }: Pick<KeptGuest, 'link' | 'mac'>): string => `- ${link} ${mac}`

const last = `{ k = $2 " " $3 } $1 == "+" { l[k] = $0 } $1 == "-" { delete l[k] }`
const largest = 262_144

/** Shell that writes such lines down; a file that became large is written anew without what is over. */
export const keepText = (path: string, lines: readonly string[], owner?: string): string =>
  lines.length === 0
    ? ''
    : `umask 077
awk -v now="$(date +%s)" '$1 == "+" { $NF += now } { print }' >>${path} <<'LANWARD'
${lines.join('\n')}
LANWARD
[ "$(wc -c <${path})" -lt ${largest} ] || { awk '${last} END { for (k in l) print l[k] }' ${path} >${path}.new && mv -f ${path}.new ${path}; }
${owner === undefined ? '' : `chown ${owner} ${path}`}`

/** A line of nft's or tc's with columns in it as «name», as awk prints it. */
const printed = (line: string) =>
  `print "${line.replaceAll('"', '\\"').replace(/«(\w+)»/g, (_all, name: string) => `" ${name} "`)}"`

const guest = { link: '«link»', mac: '«mac»', mark: '«mark»', quota: '«quota»', bytes: '«bytes»' }
const times = { seconds: '«left»', idleSeconds: '«idle»' }
const key = '"«link»" . «mac»'

const rates = (['down', 'up'] as const).map(
  way => `if (split(${way}, rate, ":") == 2) {
    kbps = rate[2]
    if (rate[1] == "limit") { bytes_a_second = kbps * 125; ${printed(rateLine(way, guest.mark, '«bytes_a_second»'))} }
    else classed = 1
  }`,
)

/**
 * nftables' commands for everybody whose time is not over. \`again\`: their times alone, as the clock is now, also of
 * those whose time is over by it.
 */
export const stateProgram = `${last}
END {
  for (k in l) {
    split(l[k], f, " ")
${columns.map((name, at) => `    ${name} = f[${at + 1}]`).join('\n')}
    left = end - now; classed = 0
    if (again) {
${[...away('in', key, ' timeout 1s'), ...away('until', guest.mark, ' timeout 1s')].map(one => `      ${printed(one)}`).join('\n')}
      if (left > 0) {
${['in', 'until'].map(set => `        ${printed(`add element ${gateTable} ${set} { ${set === 'in' ? key : guest.mark} timeout «left»s }`)}`).join('\n')}
      }
      continue
    }
    if (left <= 0) continue
${admitted({ ...guest, ...times })
  .map(one => `    ${printed(one)}`)
  .join('\n')}
    ${rates.join('\n    ')}
    if (classed) { minor = sprintf("%x", mark % 65536); ${printed(`add element ${gateTable} class_of { «mark» : ${handle}:«minor» }`)} }
  }
}`

const classesOf = (way: 'down' | 'up', where: string) =>
  `if (split(${way}, rate, ":") == 2 && rate[1] == "class" && dev == ${where}) {
      kbps = rate[2]; burst = int(kbps * 1.25); if (burst < 3200) burst = 3200
      ${printed(classLine('«dev»', '«minor»', '«kbps»', '«burst»'))}
      ${printed(leafLine('«dev»', '«minor»'))}
    }`

/** tc's commands for one interface, which is a LAN's or leads outside. */
export const classProgram = `${last}
END {
  for (k in l) {
    split(l[k], f, " ")
    link = f[2]; mark = f[4]; down = f[8]; up = f[9]
    if (f[10] <= now) continue
    minor = sprintf("%x", mark % 65536)
    ${classesOf('down', 'link')}
    ${classesOf('up', 'outside')}
  }
}`

/** The script: \`again\` where the clock was set. It may be run at any time, and changes nothing where nothing is missing. */
export const restoreScript = (kept: string, lans: string): string => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
# Lets guests in again who were in before a restart.
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
kept=${kept} lans=${lans} again= late=0
[ "$1" != again ] || again=1
[ -s $kept ] && [ -e $lans ] || exit 0
exec 9>/var/run/lanward-gate
flock 9
now=$(date +%s)
if nft list map ${gateTable} mark_of 2>/dev/null | grep -q elements; then there=1; else there=; fi
[ "$there" != "$again" ] || awk -v now="$now" -v again="$again" '${stateProgram}' $kept | nft -f -
command -v tc >/dev/null && grep -q ' class:' $kept || exit 0
while read -r word dev rest; do
  case $word in lan) outside= ;; outside) outside=$dev ;; *) continue ;; esac
  [ -e "/sys/class/net/$dev" ] || { late=1; continue; }
  ! tc qdisc show dev "$dev" | grep -q '^qdisc htb ${handle}: root' || continue
  tc qdisc replace dev "$dev" root handle ${handle}: htb default 1 || continue
  awk -v now="$now" -v dev="$dev" -v outside="$outside" '${classProgram}' $kept | tc -force -batch - 2>/dev/null
done <$lans
exit $late
`
