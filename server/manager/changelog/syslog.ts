import { createSocket } from 'node:dgram'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls } from 'node:tls'
import { asc, gt } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { changelog } from '@/db/schema'
import { type Syslog, syslog } from '@/model/manager/syslog'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { state, takeFormer } from '@/server/kernel/settings'
import { sendFramed } from '@/server/kernel/syslog'
import { newestRow } from './head'
import { entryLine, headLine } from './syslog-line'

/** The log server; `off` where none is set. */
export const readSyslog = (db: Db): Syslog => readOwnOrDefaults(db, syslog)

/** How far the log server was told. */
export const syslogState = state(
  'syslog',
  z.object({
    /** Number of the newest entry that was sent. */
    sent: z.int().default(0),
    /** When the newest head was sent last, unix ms. */
    headAt: z.number().default(0),
    /** How the last delivery went. */
    last: z.object({ at: z.number(), ok: z.boolean(), error: z.string() }).optional(),
  }),
)

export const syslogSettings: OwnSettings<Syslog> = {
  kind: syslog,
  /** A server that is set anew gets what is written from now on, the entry about this first. */
  storing({ runtime: { sqlite } }, tx) {
    syslogState.change(tx, { sent: newestRow(sqlite)?.id ?? 0, headAt: 0, last: undefined })
  },
  former: ({ db }) => takeFormer(db, 'syslog', ['protocol', 'host', 'port']),
}

const lookMs = 2000
const hourMs = 3_600_000
const retryMs = 30_000
const batch = 200

type Target = Pick<Syslog, 'port' | 'ca' | 'peer'> & { host: string }

/** One datagram a line (RFC 5426). Nobody answers: what a network loses is not known. */
function sendUdp({ host, port }: Target, lines: readonly string[]): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  return new Promise<void>((done, failed) => {
    socket.once('error', failed)
    let left = lines.length
    const sent = (error: Error | null) => {
      left -= 1
      if (error) failed(error)
      else if (left === 0) done()
    }
    for (const line of lines) socket.send(line, port, host, sent)
  }).finally(() => socket.close())
}

/** RFC 5425: no line leaves before the server has shown a certificate that is trusted, for the name that is expected. */
function connectSecured({ host, port, ca, peer = host }: Target): Socket {
  return connectTls({
    ...{ host, port, ca },
    ...(!isIP(peer) && { servername: peer }),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(peer, certificate),
  })
}

const ways: Record<Exclude<Syslog['protocol'], 'off'>, (to: Target, lines: readonly string[]) => Promise<void>> = {
  udp: sendUdp,
  tcp: (to, lines) => sendFramed(connect(to), lines),
  tls: (to, lines) => sendFramed(connectSecured(to), lines),
}

type Work = { lines: string[]; sent: number; more: boolean; head: boolean }

/** What is to be sent now: entries since the last time, and the newest head once an hour. */
function workOf({ db, sqlite }: Runtime, sent: number, headAt: number, now: number): Work {
  const newest = newestRow(sqlite)
  // Fewer entries than were sent: the log was cut, or an older backup restored. The head tells the server.
  const cut = sent > (newest?.id ?? 0)
  const after = cut ? (newest?.id ?? 0) : sent
  const rows = db.select().from(changelog).where(gt(changelog.id, after)).orderBy(asc(changelog.id)).limit(batch).all()
  const head = newest !== undefined && (cut || now - headAt >= hourMs)
  const lines = [...rows.map(entryLine), ...(head ? [headLine(newest, now)] : [])]
  return { lines, sent: rows.at(-1)?.id ?? after, more: rows.length === batch, head }
}

const codeOf = (error: unknown): string =>
  (error as { code?: string }).code ?? (error instanceof Error ? error.message : String(error))

async function deliver(runtime: Runtime): Promise<void> {
  for (;;) {
    const set = readSyslog(runtime.db)
    const { protocol, host } = set
    const { sent, headAt, last } = syslogState.read(runtime.db)
    const now = Date.now()
    if (protocol === 'off' || host === undefined || (last && !last.ok && now - last.at < retryMs)) return
    const work = workOf(runtime, sent, headAt, now)
    if (!work.lines.length) return
    const failure = await ways[protocol]({ ...set, host }, work.lines).then(() => '', codeOf)
    // Set anew while this was under way: what was sent went to the former server.
    if (JSON.stringify(readSyslog(runtime.db)) !== JSON.stringify(set)) continue
    const told = failure ? {} : { sent: work.sent, ...(work.head && { headAt: now }) }
    syslogState.change(runtime.db, { ...told, last: { at: now, ok: !failure, error: failure.slice(0, 200) } })
    if (failure || !work.more) return
  }
}

/** Sends what was written to the changelog to the log server that is set, and what a failure held back. */
export function startSyslog(runtime: Runtime): void {
  runtime.jobs.start({ id: 'syslog', every: lookMs, run: deliver })
}
