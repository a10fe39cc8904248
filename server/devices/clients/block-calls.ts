import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { f } from '@/model/fields'
import type { BlockedValues } from '@/model/firewall/blocked'
import type { Data } from '@/model/kind'
import { loadKind } from '@/model/registry'
import { fleetPart } from '@/server/devices/link/fleet'
import { isDeviceError } from '@/server/drivers/driver'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { deleteDocuments, saveDocument, viewDocuments } from '@/server/networks/settings/documents'
import type { DocumentView } from '@/server/networks/settings/store'
import { inForce } from './at-once'
import { kickAll } from './kick-call'
import { addDeed } from './known'
import { macsInput, tellClients } from './shared'
import { connectedPage, type ShownClient } from './shown'

type BlockedView = DocumentView & BlockedValues

export const loadBlocked = () => loadKind('blockedClient')

const isInForce = ({ until }: BlockedView, now: number) => until === undefined || Date.parse(until) > now

/** The network's block list by MAC address, those whose time is up left out unless `all`. */
export async function blockedOf(
  { runtime, network, now }: Pick<NetworkContext, 'runtime' | 'network' | 'now'>,
  all = false,
) {
  const views = viewDocuments(runtime, network.id, await loadBlocked()) as BlockedView[]
  const counts = views.filter(one => all || isInForce(one, now))
  return new Map(counts.map(one => [one.mac, one]))
}

/** With the entry of the block list that counts for it. */
export function withBlock(client: ShownClient, blocked: ReadonlyMap<string, BlockedView>) {
  const entry = blocked.get(client.mac)
  return { ...client, ...(entry && { blocked: entry.until === undefined ? {} : { until: entry.until } }) }
}

export const blockChanging = {
  tag: 'clients',
  scope: 'network',
  authority: 'settings_firewall_edit',
  changes: true,
  topics: ['clients', 'settings'],
  changelog: 'entry',
  send: 'each',
} as const

/** Who is on Wi-Fi now is put out; whoever is not, or whose device does not answer, is blocked all the same. */
export async function putOut(context: Pick<NetworkContext, 'runtime' | 'network'>, macs: string[]): Promise<void> {
  const { runtime, network } = context
  if (!fleetPart.find(runtime)) return
  try {
    const { result } = await connectedPage(runtime, network.id, { macs, page: 1, pageSize: macs.length })
    await kickAll(
      context,
      result.filter(one => one.can?.kick),
    )
  } catch (error) {
    if (!isDeviceError(error)) throw error
  }
}

/** A device that is managed here would be cut off by it. */
function refuseManaged({ runtime, network }: NetworkContext, wanted: readonly string[]): void {
  const own = and(eq(devices.network, network.id), inArray(devices.mac, [...wanted]))
  const found = runtime.db.select({ name: devices.name }).from(devices).where(own).get()
  if (found) fail('clientManaged', found)
}

const block = call({
  ...blockChanging,
  path: 'clients/block',
  input: z.strictObject({ macs: macsInput, until: f.instant().optional(), note: f.text(64).optional() }),
  /**
   * Puts clients on the block list of all devices, for good or until a moment; those on it get this end and note. All
   * or none. It is in force at once: `here` on so many devices; `waits` names those that do not have it yet and the reason,
   * and get it by themselves, by a push at the latest.
   */
  async run(context, { macs, until, note }) {
    if (until !== undefined && Date.parse(until) <= context.now) failFields({ until: 'untilPast' })
    refuseManaged(context, macs)
    const kind = await loadBlocked()
    const held = await blockedOf(context, true)
    const save = (mac: string) => {
      const known = held.get(mac)
      if (known?.damaged) fail('blockedClient:damaged', { name: mac })
      const kept: Data = known ? { id: known.id, revision: known.revision } : {}
      const said = note || known?.note
      return saveDocument(context, kind, {
        ...kept,
        mac,
        ...(said && { note: said }),
        ...(until !== undefined && { until }),
      }).id
    }
    const wanted = [...new Set(macs)]
    const ids = context.runtime.db.transaction(() => {
      for (const mac of wanted) {
        const known = held.get(mac)
        if (!known || !isInForce(known, context.now)) addDeed(context, mac, 'blocked')
      }
      return wanted.map(save)
    })
    const brought = await inForce(context, kind.id, ids)
    await putOut(context, wanted)
    tellClients(context)
    return { ids, ...brought }
  },
})

/** Takes these entries off the block list, at once. */
export async function takeOff(context: NetworkContext & Logging, listed: readonly BlockedView[]) {
  const ids = listed.map(({ id }) => id)
  const kind = await loadBlocked()
  if (ids.length > 0)
    context.runtime.db.transaction(() => {
      deleteDocuments(context, kind, ids)
      for (const one of listed) if (isInForce(one, context.now)) addDeed(context, one.mac, 'unblocked')
    })
  const brought = await inForce(context, kind.id, ids)
  tellClients(context)
  return { ids, ...brought }
}

const unblock = call({
  ...blockChanging,
  path: 'clients/unblock',
  input: z.strictObject({ macs: macsInput }),
  /**
   * Takes clients off the block list, at once; one that is not on it is not there afterwards either. `here` and `waits` as
   * when they are blocked.
   */
  async run(context, { macs }) {
    const held = await blockedOf(context, true)
    return takeOff(
      context,
      [...new Set(macs)].flatMap(mac => held.get(mac) ?? []),
    )
  },
})

export const blockCalls = [block, unblock] as const
