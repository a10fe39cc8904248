import * as z from 'zod'
import { f } from '@/model/fields'
import type { Data } from '@/model/kind'
import { loadKind } from '@/model/registry'
import { type BandwidthValues, bandwidthRule } from '@/model/traffic/bandwidth'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { deleteDocuments, saveDocument, viewDocuments } from '@/server/networks/settings/documents'
import type { DocumentView } from '@/server/networks/settings/store'
import { inForce } from './at-once'
import { clientRows } from './known'
import { tellClients } from './shared'

type LimitView = DocumentView & BandwidthValues
type Place = Pick<NetworkContext, 'runtime' | 'network'>

const loadRule = () => loadKind(bandwidthRule.id)

/** The bandwidth rule about one client. */
async function ruleOf({ runtime, network }: Place, mac: string): Promise<LimitView | undefined> {
  const views = viewDocuments(runtime, network.id, await loadRule()) as LimitView[]
  return views.find(one => one.target === 'client' && one.mac === mac)
}

/** How fast a client may be to and from the internet; absent where nothing limits it alone. */
export async function limitOf(place: Place, mac: string) {
  const { enabled, download, upload } = (await ruleOf(place, mac)) ?? {}
  return enabled ? { ...(download && { download }), ...(upload && { upload }) } : undefined
}

const nameCharacters = 32

/** A name that no other rule has: the client's, or with its address where that is taken. */
async function nameFor({ runtime, network }: Place, mac: string): Promise<string> {
  const taken = new Set((viewDocuments(runtime, network.id, await loadRule()) as LimitView[]).map(one => one.name))
  const known = clientRows(runtime).named.get(network.id, mac)
  const name = (known?.name || known?.hostname || mac).replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim()
  const short = name.slice(0, nameCharacters)
  return short && !taken.has(short) ? short : mac.replaceAll(':', '-')
}

const limit = call({
  tag: 'clients',
  scope: 'network',
  authority: 'settings_traffic_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
  path: 'clients/limit',
  topics: ['clients', 'settings'],
  input: z.strictObject({ mac: f.mac(), download: f.rate().optional(), upload: f.rate().optional() }),
  /**
   * Limits how fast one client may be to and from the internet, at once; without both it is limited no more. `here` and
   * `waits` as of `clients/block`; what waits follows by a push.
   */
  async run(context, { mac, ...rates }) {
    const kind = await loadRule()
    const found = await ruleOf(context, mac)
    if (found?.damaged) fail('bandwidthRule:damaged', { name: mac })
    const wanted = rates.download !== undefined || rates.upload !== undefined
    if (!wanted && !found) return { here: 0, waits: [] }
    const save = async (): Promise<string> => {
      const { id, revision, name, schedule } = found ?? { name: await nameFor(context, mac) }
      const kept: Data = { ...(id && { id, revision }), ...(schedule && { schedule }) }
      return saveDocument(context, kind, { ...kept, name, enabled: true, target: 'client', mac, ...rates }).id
    }
    const id = wanted ? await save() : (found as LimitView).id
    if (!wanted) deleteDocuments(context, kind, [id])
    // A schedule that it refers to comes along.
    const brought = await inForce(context, kind.id, [id, ...(found?.schedule ? [String(found.schedule)] : [])])
    tellClients(context)
    return brought
  },
})

export const limitCalls = [limit] as const
