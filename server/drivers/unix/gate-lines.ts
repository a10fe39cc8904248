import { handle } from './bandwidth'
import { gateTable } from './gate-rules'

// Words of nft and tc by which guests come and go: texts, so that a device's own script can be made of them, too.

export const element = (verb: 'add' | 'delete', set: string, text: string) =>
  `${verb} element ${gateTable} ${set} { ${text} }`

/** Away, whether it is there or not: what times out may be gone by the time this runs. `more`: what an element of that set has. */
export const away = (set: string, key: string, more = ''): string[] => [
  element('add', set, `${key}${more}`),
  element('delete', set, key),
]

const someTime = ' timeout 1s'

export const guestKey = (link: string, mac: string) => `"${link}" . ${mac}`

/** What holds a rate, in kbit/s: a class of tc's, or a limit of nft's. */
export type Held = { by: 'class' | 'limit'; kbps: number }

/** Nothing of a rate is in it; `seconds` ends the session, `idleSeconds` without sending anything does. */
type Admitted = {
  link: string
  mac: string
  mark: string
  quota: string
  bytes: string
  seconds: string
  idleSeconds: string
}

export const admitted = ({ link, mac, mark, quota, bytes, seconds, idleSeconds }: Admitted): string[] => [
  `add quota ${gateTable} ${quota} { over ${bytes} bytes ; }`,
  element('add', 'use_of', `${mark} : "${quota}"`),
  element('add', 'mark_of', `${guestKey(link, mac)} : ${mark}`),
  element('add', 'awake', `${mark} timeout ${idleSeconds}s`),
  element('add', 'until', `${mark} timeout ${seconds}s`),
  element('add', 'in', `${guestKey(link, mac)} timeout ${seconds}s`),
]

const over = ' limit rate over 1000 bytes/second burst 1000 bytes'

type Gone = { link: string; mac: string; mark: string; minor: string; quota: string }

/** Everything of one that was let in; `quota`: empty where it has none. */
export const goneOf = ({ link, mac, mark, minor, quota }: Gone): string[] => [
  ...away('in', guestKey(link, mac), someTime),
  ...away('until', mark, someTime),
  ...away('awake', mark, someTime),
  element('delete', 'mark_of', guestKey(link, mac)),
  ...away('class_of', mark, ` : ${handle}:${minor}`),
  ...['over_up', 'over_down'].flatMap(set => away(set, mark, over)),
  ...(quota ? [element('delete', 'use_of', mark), `delete quota ${gateTable} ${quota}`] : []),
]

export const rateLine = (way: 'down' | 'up', mark: string, bytes: string): string =>
  element('add', `over_${way}`, `${mark} limit rate over ${bytes} bytes/second burst 32000 bytes`)

export const classLine = (dev: string, minor: string, kbps: string, burst: string): string =>
  `class replace dev ${dev} parent ${handle}: classid ${handle}:${minor} htb rate ${kbps}kbit burst ${burst} cburst ${burst} quantum 1514`

export const leafLine = (dev: string, minor: string): string =>
  `qdisc replace dev ${dev} parent ${handle}:${minor} fq_codel flows 32 limit 1000`

/** Shell that lays the queue that classes hang on; \`dev\` is a shell word. */
export const rootLines = (dev: string, otherwise: string): string =>
  `tc qdisc show dev ${dev} | grep -q '^qdisc htb ${handle}: root' || tc qdisc replace dev ${dev} root handle ${handle}: htb default 1 || ${otherwise}`

/**
 * Shell that ends all classes of guests, which have four digits; a queue that holds no others was laid for them alone.
 */
export const endClasses = `for dev in /sys/class/net/*; do
dev=\${dev##*/}; classes=$(tc class show dev "$dev" 2>/dev/null) || continue
for class in $(printf '%s\\n' "$classes" | sed -n 's/^class htb \\(4c57:[0-9a-f]\\{4\\}\\) .*/\\1/p'); do tc class del dev "$dev" classid "$class"; done
tc class show dev "$dev" | grep -q '^class htb 4c57:' || { ! tc qdisc show dev "$dev" | grep -q '^qdisc htb 4c57:' || tc qdisc del dev "$dev" root; }
done
:`

/** Shell that ends what networks that are guests' no more have left in the table, which is never made anew. */
export const endLeftSets = (
  path: string,
): string => `for set in $(nft -t list table ${gateTable} 2>/dev/null | sed -n 's/^\\tset \\(\\(open\\|found\\)[46]_[0-9]*\\) {$/\\1/p'); do
grep -q "set $set {" ${path} || nft delete set ${gateTable} "$set"
done
:`

const most = 500

/**
 * The same commands with elements of one set together, since each command costs nft much. Commands about one set stay in
 * their order; a quota is there before what refers to it, and goes after it.
 */
export function together(lines: readonly string[]): string[] {
  const groups = new Map<string, string[]>()
  for (const line of lines) {
    const [, head, text] = /^((?:add|delete) element \S+ \S+ \S+) \{ (.*) \}$/.exec(line) ?? []
    if (head === undefined || text === undefined) continue
    const group = groups.get(head)
    if (group) group.push(text)
    else groups.set(head, [text])
  }
  const cut = (texts: readonly string[]) =>
    Array.from({ length: Math.ceil(texts.length / most) }, (_, at) => texts.slice(at * most, (at + 1) * most))
  return [
    ...lines.filter(line => line.startsWith('add quota ')),
    ...[...groups].flatMap(([head, texts]) => cut(texts).map(part => `${head} { ${part.join(', ')} }`)),
    ...lines.filter(line => line.startsWith('delete quota ')),
  ]
}
