import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import * as z from 'zod'
import type { Data } from '@/model/kind'
import { kindIds, loadKind } from '@/model/registry'
import type { OrganizationContext } from '@/server/kernel/call'
import { fail, isRefusal } from '@/server/kernel/fail'
import { type SettingsContext, saveDocument } from '@/server/settings/documents'
import { assignsOf, isDamaged, kindRows, openRow } from '@/server/settings/store'
import { addGroup, networkGroups, rootGroup } from './groups'
import { addNetwork, findNetwork } from './networks'
import { country, groupName, networkName, timezone } from './shapes'

// A network's settings as one piece: for a clone in memory, for a file with or without its secrets.

const groupShape = z.strictObject({
  id: z.int(),
  parent: z.int().nullable(),
  name: groupName,
  description: z.string().max(255),
})
const documentShape = z.strictObject({
  kind: z.string().max(64),
  fields: z.record(z.string(), z.unknown()),
  all: z.boolean(),
  groups: z.array(z.int()).max(1000),
})
const boxShape = z.strictObject({
  salt: z.string().max(64),
  iv: z.string().max(64),
  tag: z.string().max(64),
  body: z.string(),
})

export const fileShape = z.strictObject({
  format: z.literal('lanward-network'),
  version: z.literal(1),
  name: networkName,
  country,
  timezone,
  groups: z.array(groupShape).max(5000),
  documents: z.array(documentShape).max(20_000),
  /** Secrets by document, sealed with the passphrase; absent: left out of the file. */
  secrets: boxShape.optional(),
})
export type NetworkFile = z.output<typeof fileShape>
type Secrets = Record<number, Data>
type Whole = Omit<NetworkFile, 'secrets'> & { clear: Secrets }

export type Imported = {
  networkId: number
  imported: number
  leftOut: { kind: string; name: string; fields: Record<string, string> }[]
}

const allKinds = () => Promise.all(kindIds.map(loadKind))

/** Everything of a network but its devices; secrets apart, in clear. Damaged documents stay behind. */
async function gather(context: OrganizationContext, id: number): Promise<Whole> {
  const { db, secrets } = context.runtime
  const network = findNetwork(db, context.actor.organization, id)
  const clear: Secrets = {}
  const documents: Whole['documents'] = []
  for (const kind of await allKinds()) {
    const rows = kindRows(db, id, kind.id)
    const assigns = assignsOf(
      db,
      rows.map(row => row.id),
    )
    for (const row of rows) {
      const opened = openRow(secrets, kind, row)
      if (isDamaged(opened)) continue
      const hidden = kind.secrets.filter(key => opened.data[key] !== undefined)
      if (hidden.length) clear[documents.length] = Object.fromEntries(hidden.map(key => [key, opened.data[key]]))
      const fields = Object.fromEntries(Object.entries(opened.data).filter(([key]) => !hidden.includes(key)))
      const assign = assigns.get(row.id)
      documents.push({ kind: kind.id, fields, all: assign?.all ?? false, groups: assign?.groups ?? [] })
    }
  }
  const groups = networkGroups(db, id).map(({ id: group, parent, name, description }) => ({
    id: group,
    parent,
    name,
    description,
  }))
  return {
    format: 'lanward-network',
    version: 1,
    name: network.name,
    country: network.country,
    timezone: network.timezone,
    groups,
    documents,
    clear,
  }
}

/** Groups made anew, parents first; old id → new id. */
function makeGroups(
  context: OrganizationContext & { network: { id: number; name: string; timezone: string; country: string } },
  groups: Whole['groups'],
): Map<number, number> {
  const made = new Map<number, number>()
  const open = [...groups]
  for (let round = 0; open.length && round < groups.length + 1; round++) {
    const ready = open.filter(group => group.parent === null || made.has(group.parent))
    for (const group of ready) {
      const parentId = group.parent === null ? rootGroup : (made.get(group.parent) ?? rootGroup)
      made.set(group.id, addGroup(context, { groupName: group.name, parentId, description: group.description }))
      open.splice(open.indexOf(group), 1)
    }
  }
  if (open.length) fail('networkFileInvalid', { reason: 'groups' })
  return made
}

/** One transaction: the network with groups and documents. What a document's rules refuse is left out and named. */
async function build(context: OrganizationContext, whole: Whole, name: string): Promise<Imported> {
  const kinds = new Map((await allKinds()).map(kind => [kind.id, kind]))
  return context.runtime.db.transaction(tx => {
    const networkId = addNetwork(
      tx,
      context.actor.organization,
      { networkName: name, country: whole.country, timezone: whole.timezone },
      context.now,
    )
    const network = { id: networkId, name, country: whole.country, timezone: whole.timezone }
    const groups = makeGroups({ ...context, network }, whole.groups)
    const leftOut: Imported['leftOut'] = []
    const settings: SettingsContext = { ...context, network }
    for (const [at, document] of whole.documents.entries()) {
      const kind = kinds.get(document.kind)
      const title = String(document.fields[kind?.title ?? 'name'] ?? '')
      if (!kind) {
        leftOut.push({ kind: document.kind, name: title, fields: { '': 'unknownKind' } })
        continue
      }
      const assign = {
        all: document.all,
        groups: document.groups.flatMap(group => groups.get(group) ?? []),
        devices: [],
      }
      try {
        saveDocument(settings, kind, { ...document.fields, ...whole.clear[at], assign })
      } catch (error) {
        if (!isRefusal(error)) throw error
        leftOut.push({
          kind: kind.id,
          name: title,
          fields: (error.data.fields as Record<string, string>) ?? { '': error.code },
        })
      }
    }
    context.log({ action: 'add', object: 'network', name, network: networkId })
    return { networkId, imported: whole.documents.length - leftOut.length, leftOut }
  })
}

// The package's own enum is ambient and cannot be imported by a single-file compiler.
const argon2id = 2

const keyOf = (passphrase: string, salt: Buffer) =>
  hashRaw(passphrase, {
    algorithm: argon2id,
    salt,
    memoryCost: 65_536,
    timeCost: 3,
    parallelism: 1,
    outputLen: 32,
  })

async function sealBox(passphrase: string, clear: Secrets): Promise<z.output<typeof boxShape>> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), iv)
  const body = Buffer.concat([cipher.update(JSON.stringify(clear), 'utf8'), cipher.final()])
  const text = (bytes: Buffer) => bytes.toString('base64url')
  return { salt: text(salt), iv: text(iv), tag: text(cipher.getAuthTag()), body: text(body) }
}

async function openBox(passphrase: string, box: z.output<typeof boxShape>): Promise<Secrets> {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const key = await keyOf(passphrase, bytes(box.salt))
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes(box.iv))
    cipher.setAuthTag(bytes(box.tag))
    return JSON.parse(Buffer.concat([cipher.update(bytes(box.body)), cipher.final()]).toString('utf8')) as Secrets
  } catch {
    return fail('invalidInput', { fields: { passphrase: 'passphraseWrong' } })
  }
}

/** A copy with its groups and settings, secrets included, and no devices. */
export const cloneNetwork = async (context: OrganizationContext, id: number, name: string): Promise<Imported> =>
  build(context, await gather(context, id), name)

/** The file. Secrets (Wi-Fi keys …) go along only under a passphrase. */
export async function exportNetwork(
  context: OrganizationContext,
  id: number,
  passphrase: string | undefined,
): Promise<NetworkFile> {
  const { clear, ...file } = await gather(context, id)
  const network = findNetwork(context.runtime.db, context.actor.organization, id)
  context.log({ action: 'export', object: 'network', name: network.name, network: id })
  return passphrase ? { ...file, secrets: await sealBox(passphrase, clear) } : file
}

/** A new network from a file. */
export async function importNetwork(
  context: OrganizationContext,
  file: NetworkFile,
  name: string,
  passphrase: string | undefined,
): Promise<Imported> {
  const { secrets, ...rest } = file
  if (secrets && !passphrase) fail('invalidInput', { fields: { passphrase: 'required' } })
  return build(context, { ...rest, clear: secrets && passphrase ? await openBox(passphrase, secrets) : {} }, name)
}
