import type { Abilities } from '@/model/abilities'
import type { KindId } from '@/model/registry'
import type { Band } from '@/model/wifi/channels'
import type { Actions } from './actions'
import type { Facts, Observation } from './observation'
import type { ImportedItem, ImportProposal, UnmanagedItem } from './unmanaged'
import type { CutCode, WarningCode } from './words'

/** How the manager logs in. Secrets are in clear here and only here, in the worker's memory. */
export type Credential =
  | { type: 'snmp1' | 'snmp2c'; community: string; writeCommunity?: string }
  | {
      type: 'snmp3'
      user: string
      level: 'noAuthNoPriv' | 'authNoPriv' | 'authPriv'
      authProtocol?: 'md5' | 'sha' | 'sha224' | 'sha256' | 'sha384' | 'sha512'
      authKey?: string
      privProtocol?: 'des' | 'aes' | 'aes256b' | 'aes256r'
      privKey?: string
      context?: string
    }
  | { type: 'ssh'; user: string; password?: string; privateKey?: string; passphrase?: string }

export type Target = {
  /** IP literal or name in the LAN. */
  address: string
  /** 22 for SSH, 161 for SNMP, unless told otherwise. */
  port: number
  credential: Credential
  /** Asked for by people of an organization that does not run this machine: it is out of their reach. */
  notSelf?: boolean
  /** Pinned host key, `SHA256:` + base64 without padding, as OpenSSH prints it. Absent: nothing is sent but the handshake. */
  hostKey?: string
}

/**
 * Why speaking to a device failed. Each has its own words and its own advice for the user:
 * locales/en/reasons.json. `detail` is for the person who looks closer; it never holds a secret.
 */
export const reasons = [
  'noRoute', // EHOSTUNREACH, ENETUNREACH
  'timeout', // no answer at all
  'refused', // port closed
  'refusing', // an SSH server that takes no connection from here for now, and says so
  'closed', // the other end closed the connection in the handshake or in the middle
  'hostKeyUnknown', // not yet shown to a person
  'hostKeyChanged',
  'credentials', // user, password, key, community or v3 keys refused
  'noView', // SNMP answers but shows nothing at all
  'unsupported', // speaks, but no driver knows it
  'malformed', // an answer that breaks the protocol
  'tooLarge', // more rows, bytes or time than a sane device needs
  'busy',
  'cancelled',
  'deviceFull', // no space left on the device
  'commandFailed',
  'workerAway', // nobody speaks to devices at this moment: the worker ended and is started again
  'internal',
] as const
export type Reason = (typeof reasons)[number]

/** The one error of everything that speaks to devices. Known by `reason`, not by class: modules are built several times. */
export class DeviceError extends Error {
  readonly reason: Reason
  readonly detail?: string
  constructor(reason: Reason, detail?: string, options?: { cause?: unknown }) {
    super(detail ? `${reason}: ${detail}` : reason, options)
    this.name = 'DeviceError'
    this.reason = reason
    this.detail = detail?.slice(0, 500)
  }
}
export const isDeviceError = (error: unknown): error is DeviceError =>
  error instanceof Error && reasons.includes((error as { reason?: Reason }).reason as Reason)

/** What identifies a device to a driver, gathered by a probe before anything is decided. */
export type Fingerprint = {
  sysObjectId?: string
  sysDescr?: string
  sshBanner?: string
  /** Output of the SSH probe: os-release ID and the like, OpenWrt's board. */
  system?: Record<string, string>
}

/** One block of native configuration: a file, a UCI section, an SNMP variable. Compared and shown one by one. */
export type NativeBlock = {
  /** Stable address on the device: `file:/etc/hostapd/lanward-radio0.conf`, `uci:wireless.lw_guest_radio0`, `snmp:ifAlias.3`. */
  id: string
  /** The settings kind and document that made it, where one did. */
  kind?: string
  document?: string
  /** The imported item (`ImportedItem.id`) that this is a part of; absent for what is ours alone. */
  item?: string
  /** The device's own words. Secrets are marked by the characters U+E000 … U+E001 around them, and masked wherever shown. */
  text: string
}
export type NativeConfig = { blocks: NativeBlock[] }
export const secretOpen = '\uE000'
export const secretClose = '\uE001'

export type Warning = {
  code: WarningCode
  values?: Record<string, string | number>
  kind?: string
  document?: string
  /** True: this cannot be pushed as it is. */
  blocks?: boolean
  /** Of `verify`: the service does not run at all, though it was given its time. */
  stopped?: boolean
}

/** A settings document as a renderer sees it: parsed, with secrets in clear, references resolved to their data. */
export type DesiredDocument = { id: string; kind: string; name: string; data: Record<string, unknown> }

/** How a driver reads what is not ours, and what it puts where nobody decides. */
export type Ownership<S> = {
  /** Everything on the device that is not ours, bounded (`unmanagedLimits`); reads only. `imported` come as `managed`. */
  list(session: S, imported: readonly ImportedItem[]): Promise<UnmanagedItem[]>
  /**
   * The item's blocks with their former values, each with `item`. They stand in the plan while no renderer gives a
   * block of that item, and when it is released. Pure.
   */
  former(item: ImportedItem): NativeBlock[]
  /** A block of the item with these options of it besides, as they formerly were. Pure. */
  joined(block: NativeBlock, item: ImportedItem): NativeBlock
  /** Settings that decide from adoption on, kind and field; the device keeps what it has of them. */
  atAdoption?: readonly { kind: KindId; field: string }[]
}

export type Gate = { url: string; key: string; api?: GateApi }
/** By what name phones may ask the portal by TLS, on its port; `known`: they trust its certificate without more. */
export type GateApi = { name: string; known: boolean }

export type RenderInput = {
  facts: Facts
  observation?: Observation
  documents: DesiredDocument[]
  confirmSeconds: number
  /** The network's country, ISO 3166-1 alpha-2: of radios for which settings say no other. */
  country?: string
  /** By band, the channel chosen for this device where settings say automatic. */
  channels?: { [band in Band]?: number }
  /**
   * Where guests are sent to: the portal's address as the device reaches it, and the network's key, by which the portal
   * knows that this device sent them. Absent where no address is known that guests could reach.
   */
  gate?: Gate
  /**
   * What was imported on this device and is not on its way back. A renderer writes into an imported item instead of making
   * a part of ours beside it: its block has the item's own id, `item`, and the imported options only. An option of it that
   * settings leave alone keeps its former value. A document stands aside (a warning that `blocks`) where it would need
   * an item that is unmanaged.
   */
  imported?: readonly ImportedItem[]
}
export type Rendered = {
  blocks: NativeBlock[]
  warnings: Warning[]
  /** Documents that are in a block which they share with others, so that it names none of them. */
  carries?: string[]
  /** So much longer than usual it takes until what was written works: radar detection, say. */
  slowSeconds?: number
}

/** What stands still for a moment while a block changes: interface keys (a port, a radio's interface) and SSIDs. */
export type Interrupts = { interfaces?: string[]; ssids?: string[] }
/** A push would cut the manager's own way to the device (`Observation.path`). */
export type Cut = {
  code: CutCode
  values?: Record<string, string | number>
  /** The block that does it. */
  block: string
  kind?: string
  document?: string
}
/** What a document has to say for a block to be as it is on the device. */
export type Adopted = { document: string; fields: Record<string, unknown> }

/**
 * What of a device's state a plan is about. Where the device does not tell what is ours, what it has and nobody planned
 * stays as it is.
 */
export const ofPlan = ({ tellsOwn }: Abilities, planned: NativeConfig, seen: NativeConfig): NativeConfig =>
  tellsOwn ? seen : { blocks: seen.blocks.filter(block => planned.blocks.some(one => one.id === block.id)) }

/** Pure: no clock, no I/O, no randomness. One for each settings area of a driver. */
export type Renderer = {
  kinds: KindId[]
  /** Kinds it looks at and leaves to others: their documents are shown to it too. */
  reads?: KindId[]
  render(input: RenderInput): Rendered
  /** Whether the device can do these kinds at all; absent: every device of the driver can. */
  fits?(facts: Facts): boolean
  /** What a change of this block interrupts; undefined for blocks of other renderers, and where it is nothing. */
  interrupts?(block: NativeBlock, observation: Observation): Interrupts | undefined
  /** What would cut the manager's way for good or for a while, beyond what `interrupts` tells. */
  cuts?(before: NativeConfig, next: NativeConfig, observation: Observation): Cut[]
  /**
   * The reverse of `render`: what `documents` have to say for the block to be as `seen`. Undefined where it cannot be
   * told in settings. Whoever calls it renders the answer again and uses it only when that gives `seen`.
   */
  adopt?(
    seen: NativeBlock,
    planned: NativeBlock,
    documents: readonly DesiredDocument[],
    imported?: readonly ImportedItem[],
  ): Adopted[] | undefined
  /**
   * Documents that say the same as the chosen options, so that taking them over changes nothing on the device. `chosen`
   * has the values of now; `all` is everything that is unmanaged, for what a document has to say besides. Pure. Whoever
   * calls it renders the answer again and names the options that would differ.
   */
  proposes?(chosen: readonly ImportedItem[], all: readonly UnmanagedItem[], input: RenderInput): ImportProposal[]
}

/** Whether a kind is one of those that a renderer makes blocks of, or reads besides. */
export const isAbout = ({ kinds }: Renderer, kind: string): boolean => kinds.some(one => one === kind)
export const readsToo = ({ reads = [] }: Renderer, kind: string): boolean => reads.some(one => one === kind)

/** A push that is applied and not yet confirmed. JSON, stored before anything changes on the device. */
export type Pending = {
  id: string
  armedAt: number
  confirmSeconds: number
  driver: string
  data: Record<string, unknown>
  /** The device's address changes by it: until it is confirmed it may answer at either. */
  move?: { from: string; to: string }
  /** Nothing on the device undoes it: the manager has to. */
  undoneBy?: 'manager'
  /** Blocks the device refused while it took the rest: the push ends as `partial` and names them. */
  rejected?: { block: string; reason: string }[]
}

export type PushEvents = {
  /** Called and awaited before the device is touched, with what is needed to confirm or revert later. */
  pending(pending: Pending): Promise<void>
  step(step: 'snapshot' | 'timer' | 'apply'): void
}

/** Whom an access point is to tell its clients of (IEEE 802.11k): of these elements instead of `told`, those of now. */
export type NeighborList = { interface: string; ssid: string; told: readonly string[]; wanted: readonly string[] }

export interface Driver<S> {
  /** Kept with each of its devices; its abilities stand under it (abilities.ts). */
  id: string
  protocol: 'ssh' | 'snmp'
  /** Higher wins; 0 means "not mine". */
  match(fingerprint: Fingerprint): number
  /** Each failing step has its own reason (see `reasons`). */
  connect(target: Target, signal: AbortSignal): Promise<S>
  close(session: S): void
  /**
   * Rejects when the device is not there any more, by the least that tells: one small question over the session, or
   * none where the session itself finds out. Absent: only a poll tells.
   */
  ping?(session: S): Promise<void>
  facts(session: S): Promise<Facts>
  /**
   * `counters`: the cheap reading of every poll (uptime, interface states and counters, health, radios' clients);
   * `full`: everything. A part that fails alone is named in `problems`; the call rejects only when the device is lost.
   */
  observe(session: S, depth: 'counters' | 'full'): Promise<Observation>
  renderers: Renderer[]
  /**
   * The blocks this manager owns on the device, normalised: two reads of an idle device are equal. Of an imported item only
   * the imported options, with `item`; nothing of it where it is not there any more.
   */
  read(session: S, imported?: readonly ImportedItem[]): Promise<NativeConfig>
  /** Absent: nothing on such devices can be imported. */
  ownership?: Ownership<S>
  equal(planned: NativeBlock, seen: NativeBlock): boolean
  /** Snapshot, timer, apply. Resolves when the device has taken it and its timer runs; rejects after undoing what it could. */
  push(
    session: S,
    before: NativeConfig,
    next: NativeConfig,
    confirmSeconds: number,
    events: PushEvents,
  ): Promise<Pending>
  confirm(session: S, pending: Pending): Promise<void>
  revert(session: S, pending: Pending): Promise<void>
  /** What the device itself says of an earlier push: still waiting, confirmed, went back, or it knows nothing of it. */
  state(session: S, pending: Pending): Promise<'waiting' | 'confirmed' | 'reverted' | 'unknown'>
  /** Proof that the rendered state works, beyond equal files (hostapd ENABLED …); returns what is wrong, empty when fine. */
  selfCheck(session: S, next: NativeConfig): Promise<Warning[]>
  actions: Actions<S>
  /** Makes the lists so. State of the access point's service, which has none after it started: no configuration. */
  tellNeighbors?(session: S, lists: readonly NeighborList[]): Promise<void>
  /** Who undoes an unconfirmed push. */
  reverts: 'device' | 'manager' | 'none'
}
