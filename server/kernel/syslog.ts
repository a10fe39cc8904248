import type { Socket } from 'node:net'
import { hostname } from 'node:os'

// What the manager tells log servers: lines of RFC 5424, and how they go over a stream.

/** 32473 stands for examples (RFC 5612): this product has no number of its own. */
const element = 'lanward@32473'
const longestValue = 256
const timeLimitMs = 10_000
const closeLimitMs = 2000

/** Without control characters, which would forge lines, and bounded: names come from people and devices. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?').slice(0, longestValue)
const escaped = (text: string): string => clean(text).replace(/["\\\]]/g, '\\$&')
/** What may stand in a header's field: printable ASCII without blanks. */
const bare = (text: string): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'

type Line = {
  /** Facility times eight and severity. */
  priority: number
  at: number
  /** The line's MSGID. */
  topic: string
  data: Readonly<Record<string, string | number | null>>
  text: string
}

/** One line; `data` without value is left out. */
export function syslogLine({ priority, at, topic, data, text }: Line): string {
  const header = [`<${priority}>1`, new Date(at).toISOString(), bare(hostname()), 'lanward', process.pid, topic]
  const given = Object.entries(data).filter(([, value]) => value !== null && value !== '')
  const params = given.map(([key, value]) => `${key}="${escaped(String(value))}"`)
  return `${header.join(' ')} [${[element, ...params].join(' ')}] ${clean(text)}`
}

/** Each line after its length in octets (RFC 6587). Servers that keep their side open are not waited for. */
export function sendFramed(socket: Socket, lines: readonly string[]): Promise<void> {
  return new Promise<void>((done, failed) => {
    let flushed = false
    socket.setTimeout(timeLimitMs)
    socket.once('timeout', () => socket.destroy(flushed ? undefined : new Error('ETIMEDOUT')))
    socket.once('error', failed)
    socket.once('close', () => done())
    socket.resume()
    socket.end(lines.map(line => `${Buffer.byteLength(line)} ${line}`).join(''), () => {
      flushed = true
      socket.setTimeout(closeLimitMs)
    })
  })
}
