import { type LogReception, logReception } from '@/model/insight/log-reception'
import { fleetPart } from '@/server/devices/link/fleet'
import type { V3Login } from '@/server/drivers/snmp/protocol/notification-v3'
import { servedPair, type TlsPair } from '@/server/kernel/certificates/served'
import { type OwnSettings, readOwnOrDefaults } from '@/server/kernel/own-settings'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import type { IntakeSettings, IntakeStatus, ToldCapture, TrapSettings } from '@/server/worker/intake/protocol'
import type { RecordPage, RecordQuery } from '@/server/worker/intake/record-search'
import type { RecordCounts, Recording } from '@/server/worker/intake/records'
import type { LogPage, LogQuery, RuleMatches, RuleQuery } from '@/server/worker/intake/search'
import type { SiteCount, SiteQuery } from '@/server/worker/intake/site-counts'
import { capturesNow, countCaptured, endCaptures } from './captures'
import { looks } from './looks'
import { nameBook } from './resolved-names'
import { onRuleNews, openAlerts, rulesNow } from './rules'
import { knownSenders } from './senders'
import { type IntakeHold, type LogThreads, logThreads, type ReaderHold } from './threads'
import { trapLogins } from './trap-logins'

export type Logs = {
  /** What the thread said last; undefined until it has begun. */
  status(): (IntakeStatus & { restarts: number }) | undefined
  find(query: LogQuery): Promise<LogPage>
  /** What a rule would have found. */
  matches(query: RuleQuery): Promise<RuleMatches>
  /** Takes the settings as they are now. */
  renew(): void
  /** From now on the thread keeps these records of traffic, and deletes all others. */
  record(recording: Recording): void
  records(query: RecordQuery): Promise<RecordPage>
  /** Sites by how often clients looked them up, most first. */
  sites(query: SiteQuery): Promise<SiteCount[]>
  /** Of each kind of each network that keeps some, as the thread said last. */
  recordCounts(): readonly RecordCounts[]
  /** Hears whose records can be found now. */
  onRecorded(hear: (networks: readonly number[]) => void): void
}
export const logsPart = part<Logs>('logs')

/** The settings, with their secrets; off where nobody set any. */
export const readReception = (runtime: Runtime): LogReception => readOwnOrDefaults(runtime.db, logReception, runtime)

export const receptionSettings: OwnSettings<LogReception> = {
  kind: logReception,
  topics: ['settings', 'logs'],
  applied: runtime => logsPart.find(runtime)?.renew(),
}

/** Version 3 needs at least a key that authenticates; without one there is no user. */
function trapSettings({ traps, trapPort, ...rest }: LogReception): TrapSettings | undefined {
  if (!traps) return undefined
  const { trapCommunity, trapUser, trapAuth, trapAuthKey, trapPriv, trapPrivKey } = rest
  const user: V3Login | undefined =
    trapUser !== undefined && trapAuthKey !== undefined
      ? {
          ...{ type: 'snmp3', user: trapUser, level: trapPrivKey === undefined ? 'authNoPriv' : 'authPriv' },
          ...{ authProtocol: trapAuth, authKey: trapAuthKey },
          ...(trapPrivKey !== undefined && { privProtocol: trapPriv, privKey: trapPrivKey }),
        }
      : undefined
  return { port: trapPort, ...(trapCommunity !== undefined && { community: trapCommunity }), ...(user && { user }) }
}

/** What is open: where nothing is received while somebody captures, both, for those lines alone. */
function openWays({ protocol }: LogReception, captures: readonly ToldCapture[]) {
  if (protocol === 'off') {
    const open = captures.length > 0
    return { udp: open, tcp: open, onlyCaptured: ['udp', 'tcp'] as const }
  }
  return { udp: protocol !== 'tcp', tcp: protocol !== 'udp', onlyCaptured: [] }
}

function settingsOf(
  settings: LogReception,
  captures: readonly ToldCapture[],
  pair: TlsPair | undefined,
): IntakeSettings {
  const { port, days, megabytes, unknown, tls, tlsPort } = settings
  const traps = trapSettings(settings)
  return {
    ...openWays(settings, captures),
    ...{ captures, port, days, megabytes, unknown },
    ...(tls && { tls: { port: tlsPort, ...(pair && { pair }) } }),
    ...(traps && { traps }),
  }
}

/** Pause before the reception is started again; doubles while it goes on ending. */
const restartMs = { first: 1000, most: 60_000 }
/** Devices that came, went or moved are known to the reception after so long. */
const sendersMs = 1000
/** Rules that were changed are, after so long. */
const rulesMs = 50
/** The certificate, and whom rules are about, is looked at so often. */
const lookMs = 60_000
/** Said in the process when another was installed. */
const certificateNews = 'lanward:certificate' as NodeJS.Signals

/** Captures that are over are looked for so often; the thread itself keeps nothing for them after their time. */
const capturesMs = 1000

export const folderOf = ({ generation }: Runtime): string => `${generation}/logs`

/** Tells the thread what it has to know, where that is another than before. */
function intakeTeller(runtime: Runtime) {
  let intake: IntakeHold | undefined
  let told = ''
  let toldLogins = ''
  let toldRules = ''
  let recording: Recording | undefined
  let soon: NodeJS.Timeout | undefined
  let rulesSoon: NodeJS.Timeout | undefined
  /** `fresh`: to one that knows nothing of alerts that are open. */
  const rules = (fresh = false) => {
    clearTimeout(rulesSoon)
    rulesSoon = undefined
    const now = rulesNow(runtime)
    const text = JSON.stringify(now)
    if (text === toldRules && !fresh) return
    const open = openAlerts(runtime, now)
    intake?.tell({ rules: now.map(one => ({ ...one, open: (fresh && open.get(one.id)) || [] })) })
    toldRules = text
  }
  const logins = () => {
    const now = readReception(runtime).traps ? trapLogins(runtime) : {}
    const text = JSON.stringify(now)
    if (text !== toldLogins) intake?.tell({ trapLogins: now })
    toldLogins = text
  }
  const senders = () => {
    clearTimeout(soon)
    soon = undefined
    const now = knownSenders(runtime, names)
    const text = JSON.stringify(now)
    if (text !== told) intake?.tell({ senders: now })
    told = text
    logins()
    rules()
  }
  /** Devices changed: told once for all that change now. */
  const changed = () => {
    soon ??= setTimeout(senders, sendersMs).unref()
  }
  const names = nameBook(changed)
  const settings = () => {
    const pair = servedPair(runtime.config.data)
    intake?.tell({ settings: settingsOf(readReception(runtime), capturesNow(runtime), pair) })
    logins()
  }
  return {
    settings,
    changed,
    record(told: Recording) {
      recording = told
      intake?.tell({ recording })
    },
    rulesChanged() {
      rulesSoon ??= setTimeout(() => rules(), rulesMs).unref()
    },
    /** One that began knows nothing yet. */
    begin(begun: IntakeHold) {
      intake = begun
      told = ''
      toldLogins = ''
      rules(true)
      if (recording) intake.tell({ recording })
      senders()
      settings()
    },
    ended() {
      intake = undefined
    },
    stop() {
      names.stop()
      clearTimeout(soon)
      clearTimeout(rulesSoon)
    },
  }
}

/** The thread, begun again after a pause whenever it ends. */
function keptIntake(runtime: Runtime, threads: LogThreads, teller: ReturnType<typeof intakeTeller>) {
  let intake: IntakeHold | undefined
  let status: IntakeStatus | undefined
  let records: RecordCounts[] = []
  const hearers: ((networks: readonly number[]) => void)[] = []
  let again: NodeJS.Timeout | undefined
  let restarts = 0
  let pause = restartMs.first
  let stopping = false
  const look = looks(device => {
    void fleetPart
      .find(runtime)
      ?.ask('look', device)
      .catch(() => undefined)
  })
  const start = () => {
    intake = threads.intake(folderOf(runtime), {
      onStatus(now) {
        status = now
      },
      onNews(networks) {
        for (const network of networks) runtime.bus.emit({ topic: 'logs', ...(network && { network }) })
      },
      onLook: look.wish,
      onRule: news => onRuleNews(runtime, news),
      onCaptured: counts => countCaptured(runtime, counts),
      onRecords(counts) {
        records = counts
      },
      onRecorded(networks) {
        for (const hear of hearers) hear(networks)
      },
      onEnd() {
        intake = undefined
        status = undefined
        records = []
        teller.ended()
        if (stopping) return
        restarts += 1
        again = setTimeout(start, pause).unref()
        pause = Math.min(restartMs.most, pause * 2)
      },
    })
    teller.begin(intake)
  }
  start()
  return {
    status: () => status && { ...status, restarts },
    records: () => records,
    onRecorded: (hear: (networks: readonly number[]) => void) => void hearers.push(hear),
    async stop() {
      stopping = true
      look.stop()
      clearTimeout(again)
      await intake?.stop()
    },
  }
}

/** Receives what devices log, in threads of its own. */
export function startLogs(runtime: Runtime, { threads = logThreads }: { threads?: LogThreads } = {}): void {
  let reader: ReaderHold | undefined
  const teller = intakeTeller(runtime)
  const intake = keptIntake(runtime, threads, teller)
  // A pair that was made, renewed or uploaded meanwhile; the same one changes nothing.
  // Groups that were moved or deleted are told by nobody.
  const renewing = setInterval(() => {
    if (readReception(runtime).tls) teller.settings()
    teller.rulesChanged()
  }, lookMs).unref()
  process.on(certificateNews, teller.settings)
  let captured = ''
  const endOver = () => {
    for (const network of endCaptures(runtime, Date.now())) runtime.bus.emit({ topic: 'logs', network })
    // One can also go with its device or its network.
    const now = JSON.stringify(capturesNow(runtime))
    if (now !== captured) teller.settings()
    captured = now
  }
  runtime.jobs.start({ id: 'syslogCaptures', every: capturesMs, run: endOver })
  const unhear = runtime.bus.on(({ topic }) => {
    if (topic === 'devices' || topic === 'device' || topic === 'networks') teller.changed()
    // The system's settings hold what agents send traps by.
    if (topic === 'settings') for (const tell of [teller.changed, teller.rulesChanged]) tell()
  })
  runtime.closers.push(async () => {
    unhear()
    clearInterval(renewing)
    process.off(certificateNews, teller.settings)
    teller.stop()
    reader?.close()
    await intake.stop()
  })
  const reading = (): ReaderHold => {
    reader ??= threads.reader(folderOf(runtime), () => {
      reader = undefined
    })
    return reader
  }
  logsPart.start(runtime, {
    status: intake.status,
    find: query => reading().find(query),
    matches: query => reading().matches(query),
    renew: teller.settings,
    record: teller.record,
    records: query => reading().records(query),
    sites: query => reading().sites(query),
    recordCounts: intake.records,
    onRecorded: intake.onRecorded,
  })
}
