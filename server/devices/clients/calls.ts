import * as z from 'zod'
import { f } from '@/model/fields'
import type { BlockedValues } from '@/model/firewall/blocked'
import type { Data } from '@/model/kind'
import { loadKind } from '@/model/registry'
import { deviceName } from '@/server/devices/inventory/summary'
import { fleetOf } from '@/server/devices/link/fleet'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput } from '@/server/kernel/lists'
import { deleteDocuments, saveDocument, viewDocuments } from '@/server/networks/settings/documents'
import type { DocumentView } from '@/server/networks/settings/store'
import type { Client } from '@/server/worker/clients-merge'

type BlockedView = DocumentView & BlockedValues

const loadBlocked = () => loadKind('blockedClient')

/** The network's block list by MAC address, those whose time is up left out unless `all`. */
async function blockedOf({ runtime, network, now }: Pick<NetworkContext, 'runtime' | 'network' | 'now'>, all = false) {
  const views = viewDocuments(runtime, network.id, await loadBlocked()) as BlockedView[]
  const counts = views.filter(one => all || one.until === undefined || Date.parse(one.until) > now)
  return new Map(counts.map(one => [one.mac, one]))
}

type ShownClient = Client & { deviceName: string; blocked?: { until?: string } }

const list = call({
  scope: 'network',
  authority: 'clients',
  changes: false,
  path: 'clients/list',
  tag: 'clients',
  input: z.strictObject({ ...listInput, deviceId: z.int().min(1).optional() }),
  /**
   * End devices that are connected now, as the network's devices see them. `blocked`: on the block list, `until` a
   * moment or for good.
   */
  async run(context, { deviceId, ...input }) {
    const { runtime, network } = context
    const found = await fleetOf(runtime).ask('clients', { network: network.id, device: deviceId, ...input })
    const blocked = await blockedOf(context)
    const result: ShownClient[] = found.result.map(one => {
      const entry = blocked.get(one.mac)
      const state = entry && { blocked: entry.until === undefined ? {} : { until: entry.until } }
      return { ...one, deviceName: deviceName(runtime, one.device), ...state }
    })
    return { ...found, result }
  },
})

const changing = {
  tag: 'clients',
  scope: 'network',
  authority: 'settings_firewall_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
const macs = z.array(f.mac()).min(1, 'required').max(100, 'tooMany')

const block = call({
  ...changing,
  path: 'clients/block',
  input: z.strictObject({ macs, until: f.instant().optional(), note: f.text(64).optional() }),
  /**
   * Puts clients on the block list of all devices, for good or until a moment; those on it get this end and note. All
   * or none. Like every setting it is in force once it is pushed.
   */
  async run(context, { macs, until, note }) {
    if (until !== undefined && Date.parse(until) <= context.now) failFields({ until: 'untilPast' })
    const kind = await loadBlocked()
    const held = await blockedOf(context, true)
    const save = (mac: string) => {
      const known = held.get(mac)
      if (known?.damaged) fail('documentDamaged', { name: mac })
      const kept: Data = known ? { id: known.id, revision: known.revision } : {}
      const said = note || known?.note
      return saveDocument(context, kind, {
        ...kept,
        mac,
        ...(said && { note: said }),
        ...(until !== undefined && { until }),
      }).id
    }
    return { ids: context.runtime.db.transaction(() => [...new Set(macs)].map(save)) }
  },
})

const unblock = call({
  ...changing,
  path: 'clients/unblock',
  input: z.strictObject({ macs }),
  /** Takes clients off the block list; one that is not on it is not there afterwards either. */
  async run(context, { macs }) {
    const held = await blockedOf(context, true)
    const ids = macs.flatMap(mac => held.get(mac)?.id ?? [])
    if (ids.length > 0) deleteDocuments(context, await loadBlocked(), ids)
    return { ids }
  },
})

export const clientCalls = [list, block, unblock] as const
