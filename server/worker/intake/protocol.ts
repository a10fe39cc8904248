import type { TrapRefusal, V3Login } from '@/server/drivers/snmp/protocol/notification-v3'
import type { RuleNews, ToldRule } from './log-rules'
import type { RecordPage, RecordQuery } from './record-search'
import type { RecordCounts, Recording } from './records'
import type { LogPage, LogQuery, RuleMatches, RuleQuery } from './search'
import type { SiteCount, SiteQuery } from './site-counts'
import type { Keeping, Way } from './store'

// What the main thread and the threads of logs say to each other.

/** Lines that are kept though nothing else would be received: of a network or one of its devices, until then (unix ms). */
export type ToldCapture = { id: number; network: number; device?: number; severity: number; until: number }
/** How many lines more were kept for each of them. */
export type CapturedLines = (readonly [id: number, lines: number])[]

export type IntakeSettings = Keeping & {
  udp: boolean
  tcp: boolean
  port: number
  captures: readonly ToldCapture[]
  /** Open for captures alone: other lines that come so are not kept. */
  onlyCaptured: readonly Way[]
  /** Keep lines of senders that are no device. */
  unknown: boolean
  /** Where lines over TLS are received; absent: nowhere. Without a pair it cannot be opened. */
  tls?: { port: number; pair?: TlsPair }
  /** Where SNMP traps and informs are received; absent: nowhere. */
  traps?: TrapSettings
}
/** PEM: the manager's own. */
export type TlsPair = { cert: string; key: string }
export type TrapSettings = {
  port: number
  /** Of versions 1 and 2c; absent: devices may send with any. */
  community?: string
  /** Of version 3, for every sender. */
  user?: V3Login
}
/** By device: what the manager reads it with, by which it may send, too. */
export type TrapLogins = Record<number, { community: string } | V3Login>
/** By address, as `plainAddress` writes it: whose lines they are. */
export type Senders = Record<string, readonly [device: number, network: number]>

export type SocketState = 'off' | 'listening' | { error: string }
export type IntakeStatus = {
  udp: SocketState
  tcp: SocketState
  tls: SocketState
  traps: SocketState
  /** Lines since the manager's start. */
  received: number
  kept: number
  /** Of senders that are no device, and not kept. */
  unknown: number
  /** The last such senders, newest first, with their lines. */
  strangers: { address: string; lines: number; at: number }[]
  /** UDP datagrams that the system threw away; null where it does not tell. */
  droppedBySystem: number | null
  /** UDP lines for which there was no room here. */
  dropped: number
  /** Connections of known senders that came to no TLS. */
  badTls: number
  /** Traps and informs that were not taken, by the reason; none that is 0. */
  refusedTraps: Partial<Record<TrapRefusal, number>>
  /** The last senders of such, newest first. */
  refusedSenders: { address: string; why: TrapRefusal; at: number }[]
  /** Why nothing can be written now. */
  writeError?: string
  bytes: number
  oldest?: number
}

export type ToIntake =
  | { settings: IntakeSettings }
  | { senders: Senders }
  | { trapLogins: TrapLogins }
  | { rules: ToldRule[] }
  | { recording: Recording }
  | { stop: true }
/** `look`: devices that say a link of theirs changed; `recorded`: networks of traffic records that can be found now. */
export type FromIntake =
  | { status: IntakeStatus }
  | { news: number[] }
  | { look: number }
  | { rule: RuleNews }
  | { captured: CapturedLines }
  | { records: RecordCounts[] }
  | { recorded: number[] }
  | { stopped: true }

export type ReaderQuestion = { query: LogQuery } | { rule: RuleQuery } | { records: RecordQuery } | { sites: SiteQuery }
export type ToReader = { id: number } & ReaderQuestion
export type FromReader = { id: number } & (
  | { page: LogPage }
  | { matches: RuleMatches }
  | { records: RecordPage }
  | { sites: SiteCount[] }
  | { error: string }
)

/** An IPv4 address dressed as an IPv6 one is the bare one; an IPv6 address is in lower case, without its zone. */
export const plainAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '')
    .replace(/%.*$/, '')
