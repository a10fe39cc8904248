import * as z from 'zod'
import type { Wan } from '@/model/internet/wan'
import { limits } from '@/model/limits'
import { loadKind } from '@/model/registry'
import { type ShownWan, type Turn, turnsSince, wanTurns } from '@/server/devices/link/wan-health'
import type { Interface, WanReading } from '@/server/drivers/observation'
import { wanInterfaces, wanKey } from '@/server/drivers/wan'
import { call, type NetworkContext } from '@/server/kernel/call'
import { viewDocuments } from '@/server/networks/settings/documents'
import type { DocumentView } from '@/server/networks/settings/store'
import { type Gateway, gatewaysOf } from './gateways'

// How the ways to the internet are, and how they were.

type WanView = DocumentView & Wan
export type ShownUplink = {
  deviceId: number
  deviceName: string
  /** What it is known by on its device. */
  key: string
  name: string
  state: ShownWan
  /** Since when, unix ms; absent where that is not known. */
  since?: number
  /** Where it goes out: the interface's key on its device, and its own address there; absent while that is not known. */
  interface?: string
  address?: string
  /** Of the last questions to its targets: those lost, how long answers took, and by how much one differed from the next. */
  lossPercent?: number
  latencyMs?: number
  jitterMs?: number
  /** What tells: its targets, or the link alone, which says nothing of what lies behind it. */
  by: 'targets' | 'link'
}

const placeOf = ({ interface: name, vlan }: Pick<Wan, 'interface' | 'vlan'>) =>
  vlan === undefined ? name : `${name}.${vlan}`

/** A way that nothing watches: its link is what the device tells. */
const byLink = (interfaces: readonly Interface[]): WanReading[] =>
  wanInterfaces(interfaces).flatMap(at => {
    const one = interfaces[at]
    return one?.up === undefined ? [] : [{ interface: one.name, up: one.up }]
  })

function waysOf({ observation }: Gateway): { wans: WanReading[]; by: ShownUplink['by'] } {
  const watched = observation?.wans ?? []
  return watched.length > 0
    ? { wans: watched, by: 'targets' }
    : { wans: byLink(observation?.interfaces ?? []), by: 'link' }
}

const nameOf = (
  documents: readonly WanView[],
  { document, interface: name }: Pick<WanReading, 'document' | 'interface'>,
) => (documents.find(one => one.id === document) ?? documents.find(one => placeOf(one) === name))?.name ?? name

/** The interface that a way goes out by, as its gateway reads it. */
function placeIn({ observation }: Gateway, documents: readonly WanView[], { document, interface: name }: WanReading) {
  const own = documents.find(one => one.id === document)
  const called = own ? placeOf(own) : name
  const found = observation?.interfaces?.find(one => one.name === called || one.key === called)
  const address = found?.addresses?.find(one => !one.startsWith('fe80'))?.replace(/\/.*/, '')
  return { ...(found && { interface: found.key }), ...(address && { address }) }
}

/** The network's ways to the internet as their gateways tell of them now. */
export async function shownUplinks({
  runtime,
  network,
}: Pick<NetworkContext, 'runtime' | 'network'>): Promise<ShownUplink[]> {
  const documents = viewDocuments(runtime, network.id, await loadKind('wan')) as WanView[]
  return (await gatewaysOf(runtime, network.id)).flatMap(gateway => {
    const { wans, by } = waysOf(gateway)
    const turns = wanTurns(runtime.db, gateway.id)
    const about = { deviceId: gateway.id, deviceName: gateway.name || gateway.address }
    const said = wans.map((one): ShownUplink => {
      const key = wanKey(one)
      const [since, state] = turns[key]?.at(-1) ?? []
      // A turn of before may be told of a reading that is here already.
      const now = one.up ? (state === 'degraded' ? state : 'online') : 'offline'
      return {
        ...{ ...about, key, name: nameOf(documents, one) ?? key, state: now, by },
        ...(since !== undefined && state === now && { since }),
        ...placeIn(gateway, documents, one),
        ...(one.lossPercent !== undefined && { lossPercent: one.lossPercent }),
        ...(one.latencyMs !== undefined && { latencyMs: one.latencyMs }),
        ...(one.jitterMs !== undefined && { jitterMs: one.jitterMs }),
      }
    })
    // A gateway that is silent says nothing of its ways; they are there all the same.
    const silent = gateway.observation ? [] : Object.entries(turns)
    const unknown = silent.map(([key, own]): ShownUplink => {
      const since = own.at(-1)?.[0]
      const name = nameOf(documents, { document: key, interface: key }) ?? key
      return { ...about, key, name, state: 'unknown', by: 'targets', ...(since !== undefined && { since }) }
    })
    return [...said, ...unknown]
  })
}

const reading = { tag: 'gateways', scope: 'network', authority: 'settings_internet', changes: false } as const

const overview = call({
  ...reading,
  path: 'wan/overview',
  input: z.strictObject({}),
  /** The network's ways to the internet as they are now: online, degraded (for a minute it loses or delays too much), offline. */
  run: async context => ({ result: await shownUplinks(context) }),
})

export type UplinkTurns = Pick<ShownUplink, 'deviceId' | 'deviceName' | 'key' | 'name'> & { turns: Turn[] }

const health = call({
  ...reading,
  path: 'wan/health',
  input: z.strictObject({}),
  /** How they were in the last twelve hours: from when on (unix ms) each was what. */
  async run(context) {
    const { runtime, network, now } = context
    const from = now - limits.wanHealthHours * 3_600_000
    const documents = viewDocuments(runtime, network.id, await loadKind('wan')) as WanView[]
    const gateways = await gatewaysOf(runtime, network.id)
    const result = gateways.flatMap(({ id, name, address }) =>
      Object.entries(wanTurns(runtime.db, id)).map(
        ([key, turns]): UplinkTurns => ({
          ...{ deviceId: id, deviceName: name || address, key },
          name: nameOf(documents, { document: key, interface: key }) ?? key,
          turns: turnsSince(turns, from),
        }),
      ),
    )
    return { from, until: now, result }
  },
})

export const wanCalls = [overview, health] as const
