import { limits } from '@/model/limits'
import { captureBook } from './captures'
import { informBook } from './informs'
import { keptLines } from './kept-lines'
import type { From } from './listen'
import { logRules, type RuleNews } from './log-rules'
import { notificationReader, type TakenTrap } from './notifications'
import { openOwnEngine } from './own-engine'
import type { CapturedLines, IntakeSettings, IntakeStatus, Senders, ToIntake } from './protocol'
import { type RecordCounts, trafficRecords } from './records'
import { openSockets } from './sockets'
import { type Line, lineTable, openStore, type Way } from './store'
import { strangersBook } from './strangers'
import { readLine } from './syslog-line'

export type Intake = {
  tell(message: Exclude<ToIntake, { stop: true }>): void
  /** Writes what has come, and ends. */
  stop(): Promise<void>
}
type Options = {
  folder: string
  onStatus(status: IntakeStatus): void
  /** Networks of lines that can be found now. */
  onNews(networks: number[]): void
  /** A device says that a link of its changed. */
  onLook(device: number): void
  /** An alert of a rule about a device is there, or over. */
  onRule(news: RuleNews): void
  /** Lines were kept for captures. */
  onCaptured(counts: CapturedLines): void
  /** Where counts of traffic records are others than before. */
  onRecords(counts: RecordCounts[]): void
  /** Networks of traffic records that can be found now. */
  onRecorded(networks: number[]): void
}

type Owner = Pick<Line, 'device' | 'network' | 'source'>

const writeMs = 250
const statusMs = 1000
const pruneMs = 10_000
const settleMs = 1000
/** At the end: how long is read what the system has already taken of senders over TCP. */
const lastReadMs = 150

const off: IntakeSettings = {
  ...{ udp: false, tcp: false, port: 514, unknown: false, days: 31, megabytes: 1024 },
  ...{ captures: [], onlyCaptured: [] },
}

type Counts = Pick<IntakeStatus, 'received' | 'unknown' | 'dropped' | 'badTls'>
type Places = {
  /** Settings and senders as they are now. */
  now: { settings: IntakeSettings; senders: Senders }
  counts: Counts
  lines: ReturnType<typeof keptLines>
  strangers: ReturnType<typeof strangersBook>
  notifications: ReturnType<typeof notificationReader>
  onLook: Options['onLook']
  rules: ReturnType<typeof logRules>
  captures: ReturnType<typeof captureBook>
  records: ReturnType<typeof trafficRecords>
}

/** Keeps a line, and looks whether a rule waits for it. */
function keepLine({ lines, rules }: Places, line: Line): void {
  lines.keep(line)
  rules.see(line)
}

/** Whose line it is; undefined: of a sender that is no device, whose lines are not kept. */
function ownerOf({ now, strangers }: Places, address: string, at: number): Owner | undefined {
  const known = now.senders[address]
  if (known) return { device: known[0], network: known[1] }
  strangers.note(address, at)
  return now.settings.unknown ? { device: 0, network: 0, source: address } : undefined
}

/** Takes lines of syslog. */
const lineTaker =
  (places: Places, way: Way) =>
  (bytes: Buffer, address: string): void => {
    const { counts, lines } = places
    counts.received += 1
    const at = Date.now()
    const owner = ownerOf(places, address, at)
    if (!owner) counts.unknown += 1
    else if (way === 'udp' && lines.isFull()) counts.dropped += 1
    else {
      const said = readLine(bytes)
      const line = said && { ...said, ...owner, at, way }
      if (!line || places.records.take(line)) return
      const captured = places.captures.see(line)
      if (captured || !places.now.settings.onlyCaptured.includes(way)) keepLine(places, line)
    }
  }

/** Takes traps and informs. */
function trapTaker(places: Places) {
  const { now, counts, lines, notifications, onLook } = places
  const informs = informBook()
  /** An inform is answered once it is kept: until then its sender holds it, and sends it again. */
  const keep = ({ line, way, link, id, answer }: TakenTrap, owner: Owner, at: number, from: From) => {
    if (lines.isFull()) {
      if (!answer) counts.dropped += 1
      return
    }
    const key = `${from.address} ${from.port} ${id} ${line.tag}`
    const onKept = answer && informs.note(key, at, () => from.answer(answer))
    if (answer && !onKept) return
    keepLine(places, { ...line, ...owner, at, way, ...(onKept && { onKept }) })
    if (link && owner.device) onLook(owner.device)
  }
  return (bytes: Buffer, from: From): void => {
    const at = Date.now()
    const { traps } = now.settings
    const owner = traps && ownerOf(places, from.address, at)
    const found = owner && traps && notifications.read(bytes, from.address, traps, owner.device)
    if (found && 'report' in found) {
      from.answer(found.report)
      return
    }
    counts.received += 1
    if (!found) counts.unknown += 1
    else if ('line' in found) keep(found, owner, at, from)
  }
}

/** Tells of a status where it is another than the last. */
function statusTeller<Status>(onStatus: (status: Status) => void, first = '') {
  let told = first
  return (status: Status) => {
    const text = JSON.stringify(status)
    if (text !== told) onStatus(status)
    told = text
  }
}

const tick = () => new Promise(done => setImmediate(done))

/** Receives lines and writes them. It knows of devices what it is told, and owns sockets and files. */
export function createIntake({ folder, onStatus, onNews, onLook, onRule, onCaptured, ...told }: Options): Intake {
  const now: Places['now'] = { settings: off, senders: {} }
  const counts: Counts = { received: 0, unknown: 0, dropped: 0, badTls: 0 }
  const store = openStore(folder, () => now.settings, lineTable)
  const lines = keptLines(store, full => sockets.hold(full))
  const strangers = strangersBook()
  const notifications = notificationReader(openOwnEngine(folder))
  const rules = logRules(onRule)
  const captures = captureBook(() => now.settings.captures)
  const records = trafficRecords({ folder, megabytes: limits.trafficRecordMegabytes })
  const places: Places = { now, counts, lines, strangers, notifications, onLook, rules, captures, records }
  const sockets = openSockets({
    line: way => lineTaker(places, way),
    trap: trapTaker(places),
    streams: {
      admits: address => now.settings.unknown || now.senders[address] !== undefined,
      refused: address => strangers.note(address, Date.now()),
      garbage() {
        counts.badTls += 1
      },
    },
  })
  const tell = statusTeller(onStatus)
  const tellRecords = statusTeller(told.onRecords, '[]')
  const tellStatus = () => {
    const writeError = lines.error()
    tell({
      ...sockets.status(now.settings),
      ...counts,
      kept: lines.count(),
      ...notifications.status(),
      strangers: strangers.list(),
      ...(writeError !== undefined && { writeError }),
      ...store.size(),
    })
    const networks = lines.news()
    if (networks.length) onNews(networks)
    const captured = captures.news()
    if (captured.length) onCaptured(captured)
    tellRecords(records.counts())
    const recorded = records.news()
    if (recorded.length) told.onRecorded(recorded)
  }
  const write = () => {
    lines.write()
    records.write(Date.now())
  }
  const prune = () => {
    store.prune(now.settings, Date.now())
    records.prune(Date.now())
  }
  const settle = () => rules.settle(Date.now())
  const timers = [
    setInterval(write, writeMs),
    setInterval(tellStatus, statusMs),
    setInterval(prune, pruneMs),
    setInterval(settle, settleMs),
  ]

  return {
    tell(message) {
      if ('senders' in message) {
        now.senders = message.senders
        for (const address of Object.keys(now.senders)) strangers.forget(address)
        return
      }
      if ('trapLogins' in message) return notifications.know(message.trapLogins)
      if ('rules' in message) return rules.know(message.rules, Date.now())
      if ('recording' in message) return records.know(message.recording, Date.now())
      const before = now.settings
      now.settings = message.settings
      sockets.renew(before, now.settings)
      prune()
      tellStatus()
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      sockets.close('udp')
      sockets.hold(false)
      await new Promise(done => setTimeout(done, lastReadMs))
      sockets.close('streams')
      await tick()
      lines.write()
      store.close()
      records.close()
      // Whose informs are kept is told so.
      await tick()
      sockets.close('traps')
    },
  }
}
