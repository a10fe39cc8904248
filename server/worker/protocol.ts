import type { Assessment } from '@/server/drivers/assess'
import type {
  Adopted,
  DesiredDocument,
  Driver,
  ImportedItem,
  ImportProposal,
  NativeBlock,
  NativeConfig,
  Pending,
  PushEvents,
  Reason,
  Target,
  UnmanagedItem,
  Warning,
} from '@/server/drivers/driver'
import type { DeviceKind, Facts, Observation } from '@/server/drivers/observation'
import type { EventCode } from '@/server/drivers/words'
import type { HistoryQuery, HistorySeries } from '@/server/history/query'
import type { ClientCounts } from './clients'
import type { Neighbour } from './clients-merge'
import type { ClientPage, ClientQuery } from './clients-page'
import type { DeviceVerbs, OnDevice } from './device-verbs'
import type { Found, SweepInput, SweepProgress } from './sweep'

// What the main thread and the worker that owns the devices say to each other. Summaries only: whole observations
// cross the border when a person looks at one device, never in bulk.

export type DriverId = Driver<unknown>['id']

/** 0 offline, 1 online, 2 unpaired, 3 paired and not yet answered a poll. */
export type DeviceStatus = 0 | 1 | 2 | 3

/** A device as the worker knows it: with its login in clear, in memory only. */
export type ManagedDevice = {
  id: number
  /** Its row in the live table (server/worker/live.ts). */
  row: number
  network: number
  driver: DriverId
  kind: DeviceKind
  name: string
  target: Target
  status: DeviceStatus
}

export type DeviceEvent = { at: number; code: EventCode; values: Record<string, string | number> }
/** One device's news since the last batch. Absent fields did not change. */
export type StateChange = {
  id: number
  at: number
  status: DeviceStatus
  reason: Reason | ''
  seenAt?: number
  facts?: Facts
  openLogin?: boolean
  events: DeviceEvent[]
}

export type InterfaceRate = { key: string; inBps?: number; outBps?: number }
/** Everything known of one device now. `rates` in bit/s between the last two polls. */
export type DeviceReading = {
  observation?: Observation
  rates: InterfaceRate[]
  reverts: Driver<unknown>['reverts']
  actions: ActionName[]
  polls: { rounds: number; answered: number; lastMs?: number; lastAt?: number; nextTryAt?: number }
}

/** What a device turned out to be; nothing was changed on it. */
export type Identified = {
  driver: DriverId
  facts: Facts
  observation: Observation
  /** The device let the user in without any proof. */
  openLogin: boolean
}

export type ActionName = 'reboot' | 'locate' | 'setLogin'
export type ActionInput =
  | { id: number; name: 'reboot' }
  | { id: number; name: 'locate'; seconds: number }
  | { id: number; name: 'setLogin'; login: { password?: string; publicKey?: string } }

/** What a plan is made of. `taken` holds those on their way back too. */
export type PlanInput = { id: number; documents: DesiredDocument[]; windowSeconds: number; taken: OwnedItem[] }
/** Desired documents as the device's own blocks. */
export type DevicePlan = {
  blocks: NativeBlock[]
  warnings: Warning[]
  /** So much longer than usual the device needs until all of it works. */
  slowSeconds: number
  reverts: Driver<unknown>['reverts']
  /** Absent while the device was never read: then nothing is known to plan for. */
  facts?: Facts
  /** Kinds among the documents that nothing on the device can do. */
  unfit: string[]
  /** Every taken item with its former values. */
  former: NativeBlock[]
}
/** A taken item, and what of it is on its way back: handed back once a push has put the former values. */
export type OwnedItem = ImportedItem & {
  /** All of it. */
  returning?: true
  /** Single options, and since when (ms). */
  back?: Record<string, number>
}
export type IdentifyProgress = { step: 'login' | 'identify' | 'read' }
export type PushProgress = { pending: Pending } | { step: Parameters<PushEvents['step']>[0] }
/** `wan`: at the gateways' interfaces to the internet; `devices`: all devices' traffic together, as no gateway tells. */
export type NetworkTraffic = { source: 'wan' | 'devices'; inBps?: number; outBps?: number }
export type PollStats = { devices: number; rounds: number; answered: number; late: number; running: number }

/** The worker's calls. Each rejects with a DeviceError's reason. */
export type WorkerApi = DeviceVerbs & {
  setDevices(devices: ManagedDevice[]): void
  upsert(device: ManagedDevice): void
  remove(id: number): void
  fingerprint(at: { address: string; port: number }): { banner: string; hostKey: string }
  /** Progress: IdentifyProgress. */
  identify(target: Target): Identified
  observeNow(id: number): DeviceReading
  reading(id: number): DeviceReading | undefined
  action(input: ActionInput): void
  /** The pure part of plans, or why there is none: a renderer that breaks stops its own device's alone. */
  render(inputs: PlanInput[]): ({ plan: DevicePlan } | { error: { reason: Reason; detail?: string } })[]
  /** What on the device is not ours; `unsupported` where its driver cannot tell. */
  foreign(input: OnDevice & { taken: ImportedItem[] }): UnmanagedItem[]
  /** Which documents say the same as the chosen options. */
  propose(input: PlanInput & { chosen: ImportedItem[]; all: UnmanagedItem[] }): ImportProposal[]
  /** Whom a push would interrupt, and whether it cuts the manager's own way; by the last reading. */
  assess(input: { id: number; before: NativeConfig; next: NativeConfig }): Assessment
  /** For each of these blocks of the device what the documents have to say for it; null where they cannot. */
  adopt(input: PlanInput & { seen: NativeBlock[] }): {
    block: string
    adopted: Adopted[] | null
  }[]
  /** Pairs of managed devices of a network: one, and the one its way to the manager goes through. */
  uplinks(network: number): [device: number, parent: number][]
  /** For each pair whether the device's state counts as the planned one. */
  equal(input: { driver: DriverId; pairs: [NativeBlock, NativeBlock][] }): boolean[]
  /** Progress: PushProgress; `pending` is awaited before the device is touched. */
  push(input: OnDevice & { before: NativeConfig; next: NativeConfig; windowSeconds: number }): Pending
  /** From now on it is reached at this address, until its row says another. */
  relocate(input: { id: number; address: string }): void
  /** Progress: SweepProgress. */
  sweep(input: SweepInput): Found[]
  stopSweep(id: string): void
  history(query: HistoryQuery): HistorySeries
  clients(query: ClientQuery): ClientPage
  clientCounts(network: number): ClientCounts
  /** A network's throughput at the last poll, and where it is measured. */
  traffic(network: number): NetworkTraffic
  /** LLDP and ARP neighbours of a network's devices that are not managed themselves. */
  neighbours(network: number): Neighbour[]
  stats(): PollStats
  /** Writes what is pending to history.sqlite and closes everything. */
  stop(): void
}
export type CallName = keyof WorkerApi
/** What a call's progress events carry. */
export type ProgressOf<K extends CallName> = K extends 'push'
  ? PushProgress
  : K extends 'sweep'
    ? SweepProgress
    : K extends 'identify'
      ? IdentifyProgress
      : never

export type Request = { id: number; call: CallName; input: unknown } | { ack: number; error?: string }
export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { reason: Reason; detail?: string } }
  | { id: number; progress: unknown; ack: number }
  | { states: StateChange[] }
  /** History had to be made anew, or cannot be written. */
  | { trouble: string }

export type WorkerData = { historyFile: string; live: SharedArrayBuffer }
