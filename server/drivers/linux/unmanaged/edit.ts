import { isForward } from './system'

// Lines of somebody else's file that settings decide: read out of it and put into it, all others as they stand.

/** Which lines of a file are meant, and what each sets; a key may come several times. */
export type Place = {
  /** The lines' range, and where a new one goes when none of them is there: after this line. Absent: not in the file. */
  find(lines: readonly string[]): { from: number; to: number; after: number } | undefined
  key(line: string): string | undefined
  /** Before a new line where no line of its kind shows how far. */
  indent: string
}

const isComment = (line: string) => /^\s*[#;]/.test(line)

/** The options of the first `[Network]` of a file for systemd-networkd. */
const networkd: Place = {
  find(lines) {
    const head = lines.findIndex(line => /^\s*\[Network\]\s*$/.test(line))
    if (head < 0) return undefined
    const next = lines.findIndex((line, at) => at > head && /^\s*\[/.test(line))
    return { from: head + 1, to: next < 0 ? lines.length : next, after: head }
  },
  key: line => /^\s*(Address|Gateway|DHCP)\s*=/.exec(line)?.[1],
  indent: '',
}

const stanzaStart =
  /^\s*(iface|mapping|auto|allow-\S+|rename|source|source-directory|no-auto-down|no-scripts|template|vlan)\b/

/** The stanza of an interface in a file of ifupdown, its first line too. */
const ifupdown = (name: string): Place => ({
  find(lines) {
    const head = lines.findIndex(line => {
      const [word, own, family] = line.trim().split(/\s+/)
      return word === 'iface' && own === name && family === 'inet'
    })
    if (head < 0) return undefined
    const next = lines.findIndex((line, at) => at > head && stanzaStart.test(line))
    return { from: head, to: next < 0 ? lines.length : next, after: head }
  },
  key: line => /^\s*(iface|address|netmask|gateway)\s/.exec(line)?.[1],
  indent: '  ',
})

/** The one line of a file of rsyslog's that sends messages elsewhere. */
const forward: Place = {
  // Before what follows the last newline: rsyslog leaves a last line without one out.
  find: lines => ({ from: 0, to: lines.length, after: lines.length - (lines.at(-1) === '' ? 2 : 1) }),
  key: line => (isForward(line) ? 'forward' : undefined),
  indent: '',
}

/** Of `file:PATH#NAME`, what is meant. */
export function placeOf(path: string, name: string): Place {
  if (path.startsWith('/etc/systemd/network/')) return networkd
  return path.startsWith('/etc/network/') ? ifupdown(name) : forward
}

const keyOf = (place: Place, text: string) => (isComment(text) ? undefined : place.key(text))

/** What the file says there, one line each without indentation; undefined where it has no such place. */
export function readPlace(text: string, place: Place): string | undefined {
  const lines = text.split('\n')
  const range = place.find(lines)
  if (!range) return undefined
  return lines
    .slice(range.from, range.to)
    .filter(one => keyOf(place, one) !== undefined)
    .map(one => one.trim())
    .join('\n')
}

/**
 * The file with `wanted` there: its lines, in their order, take the places of those that were there; places too many go,
 * and lines too many follow the last. Undefined where the file has no such place any more.
 */
export function writePlace(text: string, place: Place, wanted: string): string | undefined {
  const lines = text.split('\n')
  const range = place.find(lines)
  if (!range) return undefined
  const left = wanted.split('\n')
  let { after } = range
  let { indent } = place
  const kept = lines.flatMap((old, at) => {
    const key = at >= range.from && at < range.to ? keyOf(place, old) : undefined
    if (key === undefined) return [{ at, text: old }]
    after = Math.max(after, at)
    const before = /^\s*/.exec(old)?.[0] ?? ''
    if (key !== 'iface') indent = before
    return left.splice(0, 1).map(one => ({ at, text: one === old.trim() ? old : before + one }))
  })
  const tail = kept.findLastIndex(one => one.at <= after) + 1
  return [
    ...kept.slice(0, tail).map(one => one.text),
    ...left.map(one => indent + one),
    ...kept.slice(tail).map(one => one.text),
  ].join('\n')
}
