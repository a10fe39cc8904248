import type { Db } from '@/db/client'
import type { Authority } from '@/model/authority'
import type { Data, Kind } from '@/model/kind'
import { lan } from '@/model/lan/lan'
import { authorityOf, isLibrary, type KindId, kindIds, loadKind } from '@/model/registry'
import type { Logging, OrganizationContext } from '@/server/kernel/call'
import { type DocumentRow, isDamaged, openRow } from '@/server/kernel/documents'
import { fail, isRefusal } from '@/server/kernel/fail'
import { addGroup, networkGroups, rootGroup } from '@/server/networks/groups/groups'
import { type SettingsContext, saveDocument } from '@/server/networks/settings/documents'
import { saveSingle, singleRows } from '@/server/networks/settings/singles'
import { assignsOf, kindRows } from '@/server/networks/settings/store'
import { findNetwork, grantAccess } from '@/server/people/access/access'
import { openBox, sealBox } from './file-secrets'
import type { NetworkFile, Secrets, Whole } from './file-shape'
import { addNetwork } from './networks'

// A network's settings as one piece: for a clone in memory, for a file with or without its secrets.

export type Imported = {
  networkId: number
  imported: number
  leftOut: { kind: string; name: string; fields: Record<string, string> }[]
}

const allKinds = () => Promise.all(kindIds.map(loadKind))
const mayRead = ({ actor }: OrganizationContext, { id }: Kind) => actor.authorities.has(authorityOf(id as KindId))
const mayEdit = ({ actor }: OrganizationContext, { id }: Kind) =>
  actor.authorities.has(`${authorityOf(id as KindId)}_edit` as Authority)

type Found = { kind: Kind; row: DocumentRow; all: boolean; groups: number[] }

/** Documents of lists, and what the network and its groups set of singles. */
function documentsOf(db: Db, network: number, kinds: readonly Kind[]): Found[] {
  const lists = kinds.filter(kind => !kind.single)
  const rows = lists.flatMap(kind => kindRows(db, network, kind.id).map(row => ({ kind, row })))
  const assigns = assignsOf(
    db,
    rows.map(({ row }) => row.id),
  )
  const singles = singleRows(db, network).filter(row => row.scope !== 'device')
  return [
    ...rows.map(one => {
      const assign = assigns.get(one.row.id)
      return { ...one, all: assign?.all ?? false, groups: assign?.groups ?? [] }
    }),
    ...singles.map(row => {
      const kind = kinds.find(one => one.id === row.kind) as Kind
      return { kind, row, all: false, groups: row.scope === 'group' ? [row.scopeId] : [] }
    }),
  ]
}

/** What the person may read of a network, but its devices; secrets that they could set apart, in clear. Damaged documents stay behind. */
async function gather(context: OrganizationContext, id: number): Promise<Whole> {
  const { db, secrets } = context.runtime
  const network = findNetwork(db, context.actor, id)
  const clear: Secrets = {}
  const documents: Whole['documents'] = []
  const readable = (await allKinds()).filter(kind => mayRead(context, kind))
  for (const { kind, row, all, groups } of documentsOf(db, id, readable)) {
    const opened = openRow(secrets, kind, row)
    if (isDamaged(opened)) continue
    const hidden = kind.secrets.filter(key => opened.data[key] !== undefined)
    if (hidden.length && mayEdit(context, kind))
      clear[documents.length] = Object.fromEntries(hidden.map(key => [key, opened.data[key]]))
    const fields = Object.fromEntries(Object.entries(opened.data).filter(([key]) => !hidden.includes(key)))
    documents.push({ id: row.id, kind: kind.id, fields, all, groups })
  }
  const groups = networkGroups(db, id).map(({ id: group, parent, name, description, isDefault }) => ({
    id: group,
    parent,
    name,
    description,
    ...(isDefault && { isDefault }),
  }))
  const { name, country, timezone } = network
  return { format: 'lanward-network', version: 1, name, country, timezone, groups, documents, clear }
}

/** Groups made anew, parents first; old id → new id. */
function makeGroups(
  context: OrganizationContext & Logging & { network: { id: number; name: string; timezone: string; country: string } },
  groups: Whole['groups'],
): Map<number, number> {
  const made = new Map<number, number>()
  const open = [...groups]
  for (let round = 0; open.length && round < groups.length + 1; round++) {
    const ready = open.filter(group => group.parent === null || made.has(group.parent))
    for (const group of ready) {
      const parentId = group.parent === null ? rootGroup : (made.get(group.parent) ?? rootGroup)
      const { name: groupName, description, isDefault } = group
      made.set(group.id, addGroup(context, { groupName, parentId, description, isDefault }))
      open.splice(open.indexOf(group), 1)
    }
  }
  if (open.length) fail('networkFileInvalid', { reason: 'groups' })
  return made
}

/** Kinds with those that they refer to before them, and LAN networks before Wi-Fi networks, whose portals stand there. */
function inOrder(kinds: readonly Kind[]): string[] {
  const done = new Set<string>()
  const visit = (id: string, above: readonly string[]): void => {
    if (done.has(id) || above.includes(id)) return
    for (const to of Object.values(kinds.find(kind => kind.id === id)?.refs ?? {})) visit(to, [...above, id])
    done.add(id)
  }
  for (const id of [lan.id, ...kinds.map(one => one.id)]) visit(id, [])
  return [...done]
}

/** The same document with its references to what was made anew. */
export function remapped(kind: Kind, fields: Data, made: ReadonlyMap<string, string>): Data {
  const other = (id: unknown) => made.get(String(id)) ?? id
  const changed = Object.keys(kind.refs)
    .filter(field => fields[field] !== undefined)
    .map(field => [field, Array.isArray(fields[field]) ? fields[field].map(other) : other(fields[field])])
  // Devices stay where they are, and rows about them with them.
  const left = kind.perDevice.filter(field => fields[field] !== undefined).map(field => [field, []])
  return { ...fields, ...Object.fromEntries([...changed, ...left]) }
}

type Making = {
  context: SettingsContext & { network: { name: string } }
  groups: Map<number, number>
  made: Map<string, string>
}

/** Saves one document as a person would; its refusal, or nothing. */
function make({ context, groups, made }: Making, kind: Kind, document: Whole['documents'][number], clear: Data = {}) {
  const fields = remapped(kind, { ...document.fields, ...clear }, made)
  const into = document.groups.flatMap(group => groups.get(group) ?? [])
  try {
    if (kind.single) {
      const scope = document.groups.length ? { group: into[0] } : {}
      saveSingle(context, kind, { scope, revision: 0, fields })
    } else {
      const assign = !isLibrary(kind.id) && { assign: { all: document.all, groups: into, devices: [] } }
      const { id } = saveDocument(context, kind, { ...fields, ...assign }, { goneFiles: true })
      if (document.id !== undefined) made.set(document.id, id)
    }
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    return (error.data.fields as Record<string, string>) ?? { '': error.code }
  }
}

type Fields = Parameters<typeof addNetwork>[2]

/**
 * One transaction: the network with groups and documents, and what `settle` says of it beside. What a document's rules
 * refuse is left out and named.
 */
async function build(
  context: OrganizationContext & Logging,
  whole: Whole,
  fields: Fields,
  settle: (network: number) => void = () => undefined,
): Promise<Imported> {
  const { networkName: name, country, timezone } = fields
  const kinds = new Map((await allKinds()).map(kind => [kind.id, kind]))
  if (whole.groups.length && !context.actor.authorities.has('devices_group_add')) fail('noAuthority')
  const order = inOrder([...kinds.values()])
  const sorted = [...whole.documents.entries()].sort(([, a], [, b]) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return context.runtime.db.transaction(tx => {
    const networkId = addNetwork(tx, context.actor.organization, fields, context.now)
    grantAccess(tx, context.actor, networkId)
    const network = { id: networkId, name, country, timezone }
    const groups = makeGroups({ ...context, network }, whole.groups)
    const making: Making = { context: { ...context, network }, groups, made: new Map() }
    const leftOut: Imported['leftOut'] = []
    for (const [at, document] of sorted) {
      const kind = kinds.get(document.kind)
      const refused = !kind
        ? { '': 'unknownKind' }
        : mayEdit(context, kind)
          ? make(making, kind, document, whole.clear[at])
          : { '': 'noAuthority' }
      const title = String(document.fields[kind?.title || 'name'] ?? '')
      if (refused) leftOut.push({ kind: document.kind, name: title, fields: refused })
    }
    context.log({ action: 'add', object: 'network', name, network: networkId })
    settle(networkId)
    return { networkId, imported: whole.documents.length - leftOut.length, leftOut }
  })
}

/** Country and time zone stay those of where the settings come from unless told. */
const named = (whole: Whole, networkName: string): Fields => ({
  networkName,
  country: whole.country,
  timezone: whole.timezone,
})

/** A copy with its groups and settings, secrets included, and no devices; `fields` and `settle`: what differs, in the same transaction. */
export async function cloneNetwork(
  context: OrganizationContext & Logging,
  id: number,
  fields: Partial<Fields> & Pick<Fields, 'networkName'>,
  settle?: (network: number) => void,
): Promise<Imported> {
  const whole = await gather(context, id)
  return build(context, whole, { ...named(whole, fields.networkName), ...fields }, settle)
}

/** The file. Secrets (Wi-Fi keys …) go along only under a passphrase. */
export async function exportNetwork(
  context: OrganizationContext & Logging,
  id: number,
  passphrase: string | undefined,
): Promise<NetworkFile> {
  const { clear, ...file } = await gather(context, id)
  const network = findNetwork(context.runtime.db, context.actor, id)
  context.log({ action: 'export', object: 'network', name: network.name, network: id })
  return passphrase ? { ...file, secrets: await sealBox(passphrase, clear) } : file
}

/** A new network from a file. */
export async function importNetwork(
  context: OrganizationContext & Logging,
  file: NetworkFile,
  name: string,
  passphrase: string | undefined,
): Promise<Imported> {
  const { secrets, ...rest } = file
  if (secrets && !passphrase) fail('invalidInput', { fields: { passphrase: 'required' } })
  const whole = { ...rest, clear: secrets && passphrase ? await openBox(passphrase, secrets) : {} }
  return build(context, whole, named(whole, name))
}
