import { and, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { documents } from '@/db/schema'
import type { Authority } from '@/model/authority'
import { documentCode } from '@/model/codes'
import { type Data, type Kind, referredIds } from '@/model/kind'
import { authorityOf, type KindId, loadKind } from '@/model/registry'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { type DocumentRow, isDamaged, openRow } from '@/server/kernel/documents'
import { fail, failFields, isRefusal } from '@/server/kernel/fail'
import { saveDocument } from '@/server/networks/settings/documents'
import { kindRows } from '@/server/networks/settings/store'
import { ownNetworks } from '@/server/people/access/access'
import { remapped } from './file'

// One Wi-Fi network in several networks: a copy in each, by its name, that can be renewed from where it was made.

type Context = NetworkContext & Logging
type Part = { kind: Kind; row: DocumentRow; data: Data }

const byId = (db: Db, id: string, kind: string, network: number) =>
  db
    .select()
    .from(documents)
    .where(
      and(
        ...[eq(documents.id, id), eq(documents.kind, kind)],
        ...[eq(documents.scope, 'network'), eq(documents.scopeId, network)],
      ),
    )
    .get()

/** A document, and before it what it refers to; its secrets in clear. */
async function gather(context: Context, kindId: KindId, id: string): Promise<Part[]> {
  const { runtime, network } = context
  const kind = await loadKind(kindId)
  const row = byId(runtime.db, id, kindId, network.id)
  if (!row) return fail(documentCode(kindId, 'notFound'), { id })
  const opened = openRow(runtime.secrets, kind, row)
  if (isDamaged(opened)) return fail(documentCode(kindId, 'damaged'), { name: row.name })
  const parts = Object.entries(kind.refs).flatMap(([field, to]) =>
    referredIds(opened.data[field]).map(one => gather(context, to as KindId, one)),
  )
  return [...(await Promise.all(parts)).flat(), { kind, row, data: opened.data }]
}

/**
 * Makes or renews the copies in one network, in the caller's transaction: whatever of the same kind is called the same is
 * taken for the same; what the Wi-Fi network refers to stays as it is there. Returns what became of the last part.
 */
function give(context: Context, tx: Db, parts: readonly Part[]): 'added' | 'changed' {
  const made = new Map<string, string>()
  let state: 'added' | 'changed' = 'added'
  for (const [at, { kind, row, data }] of parts.entries()) {
    const there = kindRows(tx, context.network.id, kind.id).find(one => one.name === row.name)
    const last = at === parts.length - 1
    if (there && !last) {
      made.set(row.id, there.id)
      continue
    }
    if (!context.actor.authorities.has(`${authorityOf(kind.id as KindId)}_edit` as Authority)) fail('noAuthority')
    const fields = remapped(kind, data, made)
    const own = there && { id: there.id, revision: there.revision }
    made.set(row.id, saveDocument(context, kind, { ...fields, ...own }).id)
    state = there ? 'changed' : 'added'
  }
  return state
}

type GivenSsid = {
  networkId: number
  networkName: string
  state: 'added' | 'changed' | 'refused'
  /** Why not, as a call that is refused says it. */
  refusal?: { retCode: number; data: Record<string, unknown> }
}

/** Gives a Wi-Fi network of the call's network to other own ones, each in a transaction of its own. */
export async function giveSsid(
  context: Context,
  id: string,
  wanted: readonly number[],
): Promise<{ results: GivenSsid[] }> {
  const { runtime, actor, network } = context
  const parts = await gather(context, 'ssid', id)
  const own = new Map(ownNetworks(runtime.db, actor).map(one => [one.id, one]))
  if (wanted.some(one => !own.has(one) || one === network.id)) failFields({ networkIds: 'notFound' })
  const results = [...new Set(wanted)].map((one): GivenSsid => {
    const { name, country, timezone } = own.get(one) ?? network
    const to = { networkId: one, networkName: name }
    const there = { ...context, network: { id: one, name, country, timezone } }
    try {
      return { ...to, state: runtime.db.transaction(tx => give(there, tx, parts)) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { ...to, state: 'refused', refusal: { retCode: error.retCode, data: error.data } }
    }
  })
  return { results }
}
