import * as z from 'zod'
import type { FieldErrors } from '@/model/field-errors'
import { f } from '@/model/fields'
import type { Data, Kind } from '@/model/kind'
import { hostOf, type Lan, lan } from '@/model/lan/lan'
import { loadKind } from '@/model/registry'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields, isRefusal } from '@/server/kernel/fail'
import { saveDocument, viewDocuments } from '@/server/networks/settings/documents'
import type { DocumentView } from '@/server/networks/settings/store'
import { clientRows } from './known'
import { tellClients } from './shared'

type LanView = DocumentView & Lan
type Place = Pick<NetworkContext, 'runtime' | 'network'>

const lansOf = async ({ runtime, network }: Place) =>
  viewDocuments(runtime, network.id, await loadKind(lan.id)) as LanView[]

/** What of a document's view is its own. */
const kindFields = ({ fields }: Kind, view: Data): Data =>
  Object.fromEntries(Object.keys(fields.shape).flatMap(key => (view[key] === undefined ? [] : [[key, view[key]]])))

const leaseOf = ({ leases = [] }: LanView, mac: string) => leases.find(one => one.mac === mac)

/** The address that a client is always given, by the LAN network that says so. */
export async function fixedOf(place: Place, mac: string) {
  const found = (await lansOf(place)).find(one => leaseOf(one, mac))
  const address = found && leaseOf(found, mac)?.address
  return address === undefined ? undefined : { address, lan: found?.name ?? '' }
}

/** A name that DHCP can give: what it calls itself, where that is one. */
function nameOf({ runtime, network }: Place, mac: string): { name?: string } {
  const known = clientRows(runtime).named.get(network.id, mac)
  const name = known?.hostname ?? ''
  return f.hostname().safeParse(name).success ? { name } : {}
}

/** What is wrong with a LAN network's leases is said at the one field that was asked for. */
function atAddress<T>(save: () => T): T {
  try {
    return save()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const fields = (error.data.fields ?? {}) as FieldErrors
    const [message] = Object.entries(fields).flatMap(([key, text]) => (key.startsWith('leases') ? [text] : []))
    return message === undefined ? fail(error.code, error.data) : failFields({ address: message })
  }
}

const fixedAddress = call({
  tag: 'clients',
  scope: 'network',
  authority: 'settings_lan_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
  path: 'clients/fixed-address',
  topics: ['clients', 'settings'],
  input: z.strictObject({ mac: f.mac(), address: z.union([z.literal(''), f.hostIpv4()]) }),
  /**
   * Gives a client always this address, by a static lease of the LAN network that holds it; '' ends that. It is in force
   * once it is pushed, and the client has it when it asks again.
   */
  async run(context, { mac, address }) {
    const kind = await loadKind(lan.id)
    const lans = await lansOf(context)
    const target = address === '' ? undefined : lans.find(one => !one.damaged && hostOf(one, address))
    if (address !== '' && !target) failFields({ address: 'noLan' })
    if (target && !target.dhcp) failFields({ address: 'lanWithoutDhcp' })
    const without = (one: LanView) => (one.leases ?? []).filter(lease => lease.mac !== mac)
    const save = (one: LanView, leases: Lan['leases']) =>
      saveDocument(context, kind, { ...kindFields(kind, one), id: one.id, revision: one.revision, leases })
    const touched = lans.filter(one => one !== target && !one.damaged && leaseOf(one, mac))
    atAddress(() =>
      context.runtime.db.transaction(() => {
        for (const one of touched) save(one, without(one))
        if (target) save(target, [...without(target), { mac, address, ...nameOf(context, mac) }])
      }),
    )
    tellClients(context)
    return { changed: touched.length > 0 || target !== undefined }
  },
})

export const fixedCalls = [fixedAddress] as const
