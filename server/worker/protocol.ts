import type { SpeedFigures, SpeedPhase } from '@/model/dashboard/speed-test'
import type { Figures } from '@/model/troubleshooting/request'
import type { Band } from '@/model/wifi/channels'
import type { Actions } from '@/server/drivers/actions'
import type {
  DesiredDocument,
  Driver,
  GateApi,
  NativeBlock,
  Pending,
  PushEvents,
  Reason,
  Target,
  Warning,
} from '@/server/drivers/driver'
import type { DeviceRole, Facts, Observation } from '@/server/drivers/observation'
import type { Packet } from '@/server/drivers/tools/packets'
import type { ImportedItem, ImportProposal } from '@/server/drivers/unmanaged'
import type { WanState } from '@/server/drivers/wan'
import type { EventCode } from '@/server/drivers/words'

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

export type ActionName = keyof Actions<unknown>

/** What a plan is made of. `imported` holds what is being released, too. */
export type PlanInput = {
  id: number
  documents: DesiredDocument[]
  confirmSeconds: number
  /** The network's. */
  country?: string
  /** By band, chosen for the device. */
  channels?: { [band in Band]?: number }
  /** The manager's port for guests, the key of the network's gates, and what phones may be told of. */
  portal?: { port: number; key: string; api?: GateApi }
  imported: ImportState[]
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
  /** Every imported item with its former values. */
  former: NativeBlock[]
}
/** An imported item, and what of it is being released: it is once a push has put the former values. */
export type ImportState = ImportedItem & {
  /** All of it. */
  releasing?: true
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
export type SpeedProgress = { phase: SpeedPhase; figures: SpeedFigures }
export type PushProgress = { pending: Pending } | { step: Parameters<PushEvents['step']>[0] }
/** `wan`: at the gateways' interfaces to the internet; `devices`: all devices' traffic together, as no gateway tells. */
export type NetworkTraffic = { source: 'wan' | 'devices'; inBps?: number; outBps?: number }
/** At one interface to the internet, bit/s; `at`: when that was measured, unix ms. */
export type WanRate = { device: number; interface: string; at: number; inBps?: number; outBps?: number }
export type PollStats = { devices: number; rounds: number; answered: number; late: number; running: number }

export type WorkerData = {
  historyFile: string
  live: SharedArrayBuffer
  /** Devices that it begins with: what its memory is measured by. */
  devices: number
}
