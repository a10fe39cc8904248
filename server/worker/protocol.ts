import type { Figures, RequestOf } from '@/model/troubleshooting/request'
import type { Band } from '@/model/wifi/channels'
import type { Assessment } from '@/server/drivers/assess'
import type {
  Adopted,
  DesiredDocument,
  Driver,
  GateApi,
  NativeBlock,
  NativeConfig,
  Pending,
  PushEvents,
  Reason,
  Target,
  Warning,
} from '@/server/drivers/driver'
import type { DeviceRole, Facts, Observation } from '@/server/drivers/observation'

import type { Refused } from '@/server/drivers/tools/capture'
import type { Packet } from '@/server/drivers/tools/packets'
import type { LookRequest } from '@/server/drivers/tools/run-tool'

import type { ImportedItem, ImportProposal, UnmanagedItem } from '@/server/drivers/unmanaged'

import type { WanState } from '@/server/drivers/wan'
import type { EventCode } from '@/server/drivers/words'
import type { Forgotten } from '@/server/history/forgetting'
import type { HistoryQuery, HistorySeries } from '@/server/history/query'
import type { StationQuery, StationSeries } from '@/server/history/stations'
import type { Range } from '@/server/history/tiers'
import type { WayHistory } from '@/server/history/ways'
import type { Wiring } from '@/server/topology/graph'
import type { BandChannels } from './channel-use'
import type { ClientChanges } from './client-changes'
import type { ClientShares } from './client-shares'
import type { ClientCounts } from './clients'
import type { Client, Neighbour } from './clients-merge'
import type { ClientPage, ClientPlaces, ClientQuery } from './clients-page'
import type { DeviceVerbs, OnDevice } from './device-verbs'
import type { DeviceMetrics } from './metrics-table'
import type { FoundPort, PortQuery } from './port-search'
import type { Found, SweepInput, SweepProgress } from './sweep'
import type { BandUse, WirelessNow } from './wireless'

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
  kind: DeviceRole
  name: string
  /** As it told last; absent while it never did. */
  mac?: string
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
  /** States of its ways to the internet, by what each is known by; told when one is another. */
  wans?: Record<string, WanState>
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
  imports: AtAdoption
}
/** What settings decide from the adoption on, with its values of now, and what they say of it (`Ownership.atAdoption`). */
export type AtAdoption = { items: ImportedItem[]; proposals: ImportProposal[] }

export type ActionName = 'reboot' | 'locate' | 'setLogin' | 'releaseLease' | 'vantage' | 'guests'
export type ActionInput =
  | { id: number; name: 'reboot' }
  | { id: number; name: 'locate'; seconds: number }
  | { id: number; name: 'releaseLease'; lease: { mac: string; address: string } }
  | { id: number; name: 'setLogin'; login: { password?: string; publicKey?: string } }

/** What a plan is made of. `taken` holds those on their way back too. */
export type PlanInput = {
  id: number
  documents: DesiredDocument[]
  windowSeconds: number
  /** The network's. */
  country?: string
  /** By band, chosen for the device. */
  channels?: { [band in Band]?: number }
  /** The manager's port for guests, the key of the network's gates, and what phones may be told of. */
  portal?: { port: number; key: string; api?: GateApi }
  taken: OwnedItem[]
}
/** Desired documents as the device's own blocks. */
export type DevicePlan = {
  blocks: NativeBlock[]
  warnings: Warning[]
  /** So much longer than usual the device needs until all of it works. */
  slowSeconds: number
  reverts: Driver<unknown>['reverts']
  /** Absent while the device was never read: then nothing is known to plan for. */
  facts?: Facts
  /** It was read while it started, or not all of it could be read: it may say more now. */
  unsettled: boolean
  /** Kinds among the documents that nothing on the device can do. */
  unfit: string[]
  /** Documents that at least a part of the blocks is made of. */
  carries: string[]
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
/** A client that is checked. `label`: as people call it; `last`: where it was, unless it is connected; `name`: to look up. */
export type ClientCheckInput = {
  network: number
  mac: string
  label: string
  blocked: boolean
  last?: { device?: number; place: string; at: number }
  name: string
}
export type DiagnosisProgress = { line: string } | { figures: Figures } | { packet: Packet }
export type PushProgress = { pending: Pending } | { step: Parameters<PushEvents['step']>[0] }
/** `wan`: at the gateways' interfaces to the internet; `devices`: all devices' traffic together, as no gateway tells. */
export type NetworkTraffic = { source: 'wan' | 'devices'; inBps?: number; outBps?: number }
/** At one interface to the internet, bit/s; `at`: when that was measured, unix ms. */
export type WanRate = { device: number; interface: string; at: number; inBps?: number; outBps?: number }
export type PollStats = { devices: number; rounds: number; answered: number; late: number; running: number }

/** The worker's calls. Each rejects with a DeviceError's reason. */
export type WorkerApi = DeviceVerbs & {
  setDevices(devices: ManagedDevice[]): void
  upsert(device: ManagedDevice): void
  remove(id: number): void
  /** What was measured of these goes, a bucket after the other. */
  forget(forgotten: Forgotten[]): void
  fingerprint(at: Pick<Target, 'address' | 'port' | 'notSelf'>): { banner: string; hostKey: string }
  /** Progress: IdentifyProgress. `stopBy`: the number by which `stopSearch` ends it, as `cancelled`. */
  identify(input: Target & { stopBy?: string }): Identified
  observeNow(id: number): DeviceReading
  /** The same of a device that says something changed there, whether or not it is there. */
  look(id: number): void
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
  /** Ends a sweep, an identification or a diagnosis by the number that its caller gave it. */
  stopSearch(id: string): void
  /**
   * Looks at the network from a device, over a connection of its own, or from this machine where none is given. Progress:
   * DiagnosisProgress. `stopBy`: the number by which `stopSearch` ends it, as `cancelled`.
   */
  diagnose(input: { stopBy: string; device?: number; request: LookRequest | RequestOf<'iperf3' | 'capture'> }): Figures
  /** What its tcpdump finds wrong with a capture before it begins; undefined: nothing, or there is none. */
  checkCapture(input: { device: number; request: RequestOf<'capture'> }): Refused | undefined
  /** Why a client is slow or offline; progress and `stopBy` as of `diagnose`. */
  checkClient(input: { stopBy: string } & ClientCheckInput): Figures
  history(query: HistoryQuery): HistorySeries
  /** Signal and traffic of one Wi-Fi client. */
  stationHistory(query: StationQuery): StationSeries
  clients(query: ClientQuery): ClientPage
  clientCounts(network: number): ClientCounts
  clientPlaces(network: number): ClientPlaces
  /** What is different of all networks' clients since the answer with this token. */
  clientChanges(after: number | undefined): ClientChanges
  /** Whose numbers these MACs are, by the file of package oui-data; those of nobody are left out. */
  vendors(input: { file: string; macs: string[] }): Record<string, string>
  /** Octets are of the last day unless told. */
  wireless(input: { network: number; range?: Range }): WirelessNow
  clientShares(network: number): ClientShares
  channels(network: number): BandChannels[]
  wayHistory(input: { device: number; keys: string[]; now: number }): WayHistory
  /** What the radios use now: all of a network, or of these devices of it. */
  bandUse(input: { network: number; devices?: number[] }): BandUse[]
  ports(query: PortQuery): FoundPort[]
  /** A network's throughput at the last poll, and where it is measured. */
  traffic(network: number): NetworkTraffic
  /** The same of each of its gateways' ways. */
  wanRates(network: number): WanRate[]
  /** LLDP and ARP neighbours of a network's devices that are not managed themselves. */
  neighbours(network: number): Neighbour[]
  /** What an outside collector is told of these devices; a few hundred at a time, so that polls go on between. */
  metrics(devices: number[]): DeviceMetrics[]
  /** Wi-Fi clients of a network and their counters, as their access points tell. */
  wifiClients(network: number): Client[]
  /** How a network is wired, by the last readings of its devices. */
  topology(network: number): Wiring
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
      : K extends 'diagnose' | 'checkClient'
        ? DiagnosisProgress
        : never

export type Request = { id: number; call: CallName; input: unknown } | { ack: number; error?: string }
export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { reason: Reason; detail?: string } }
  | { id: number; progress: unknown; ack: number }
  | { states: StateChange[] }
  /** History had to be made anew, or cannot be written. */
  | { trouble: string }

export type WorkerData = {
  historyFile: string
  live: SharedArrayBuffer
  /** Devices that it begins with: what its memory is measured by. */
  devices: number
}
