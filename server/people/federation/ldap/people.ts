import { randomBytes } from 'node:crypto'
import type { Client, Entry } from 'ldapts'
import { limits } from '@/model/limits'
import { reasonOf } from '@/server/mail/transport'
import { type LocatedDirectory, withDirectory } from './connection'
import type { Directory } from './directory'
import { filled } from './filter'

/** An entry of the directory that stands for a person. */
export type Person = {
  dn: string
  /** Who is meant, for ever: names and places in the tree change. */
  subject: string
  account: string
  names: string[]
  email: string
  /** The groups' DNs as the directory tells them. */
  groups: string[]
}

const secondsMost = 8
/** What never changes of an entry, where the directory tells it: RFC 4530, Active Directory, 389. */
const lasting = ['entryUUID', 'objectGUID', 'nsUniqueId'] as const
const invalidCredentials = 49
/** RFC 4511 section 4.1.9: what servers often say nothing beside. */
const results: Record<number, string> = {
  8: 'strongerAuthRequired',
  13: 'confidentialityRequired',
  32: 'noSuchObject',
  34: 'invalidDNSyntax',
  48: 'inappropriateAuthentication',
  [invalidCredentials]: 'invalidCredentials',
  50: 'insufficientAccessRights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwillingToPerform',
}

/** What went wrong, in one line without the login's secret. */
export function directoryReason(error: unknown, { bindPassword }: Directory): string {
  const result = results[Number((error as { code?: unknown } | undefined)?.code)]
  return [result, reasonOf(error, [bindPassword]).trim()].filter(Boolean).join(': ')
}

/** Texts of an attribute, without case; Active Directory tells many as `memberOf;range=0-1499`. */
function textsOf(entry: Entry, name: string): string[] {
  const wanted = name.toLowerCase()
  return Object.entries(entry)
    .filter(([key]) => key !== 'dn' && name !== '' && key.toLowerCase().replace(/;range=.*/, '') === wanted)
    .flatMap(([, value]) => value)
    .filter(value => typeof value === 'string')
    .filter(value => value !== '' && value.length <= limits.directoryTextCharacters)
    .slice(0, limits.directoryGroups)
}

function subjectOf(entry: Entry): string {
  const guid = entry.objectGUID
  if (Buffer.isBuffer(guid)) return JSON.stringify(['ldap', `objectGUID:${guid.toString('hex')}`])
  const known = lasting.find(name => textsOf(entry, name).length > 0)
  const text = known ? `${known}:${textsOf(entry, known)[0]}` : `dn:${entry.dn.toLowerCase()}`
  return JSON.stringify(['ldap', text])
}

/**
 * The library puts attributes beside the entry's own name, and one that is called `dn` in its place: asked for as bytes, it
 * shows. Whoever may write such an attribute would be whom it names.
 */
const asBytes = ['objectGUID', 'dn']
function ownName(entry: Entry): string {
  if (typeof entry.dn === 'string') return entry.dn
  throw new Error('The directory tells an attribute “dn” of an entry: its own name cannot be known.')
}

const signIn = (client: Client, { bindDn, bindPassword }: Directory) =>
  // Without a name this is the anonymous login of RFC 4513 section 5.1.1.
  client.bind(bindDn, bindDn === '' ? '' : bindPassword)

/** The groups that name an entry as their member. */
async function groupsOf(client: Client, directory: Directory, account: string, dn: string): Promise<string[]> {
  const { groupFilter, groupBase, base } = directory
  if (groupFilter === '') return []
  const found = await client.search(groupBase || base, {
    filter: filled(groupFilter, { dn, name: account }),
    attributes: ['1.1'],
    explicitBufferAttributes: asBytes,
    sizeLimit: limits.directoryGroups,
    timeLimit: secondsMost,
  })
  return found.searchEntries.map(ownName)
}

/** The one entry of this name (in small letters); where there are two, none. What refers elsewhere is not followed. */
async function find(client: Client, directory: Directory, name: string): Promise<Person | undefined> {
  const { base, filter, accountAttribute, nameAttribute, emailAttribute, roleAttribute } = directory
  const told = [accountAttribute, nameAttribute, emailAttribute, roleAttribute].filter(Boolean)
  const { searchEntries } = await client.search(base, {
    filter: filled(filter, { name }),
    attributes: [...new Set([...told, ...lasting])],
    explicitBufferAttributes: asBytes,
    sizeLimit: 2,
    timeLimit: secondsMost,
  })
  const [entry, other] = searchEntries
  if (!entry || other) return undefined
  // What a directory takes for the same name need not be: spaces, accents.
  if (!textsOf(entry, accountAttribute).some(text => text.toLowerCase() === name)) return undefined
  const dn = ownName(entry)
  return {
    dn,
    subject: subjectOf(entry),
    account: name,
    names: textsOf(entry, nameAttribute),
    email: textsOf(entry, emailAttribute)[0] ?? '',
    groups: [...textsOf(entry, roleAttribute), ...(await groupsOf(client, directory, name, dn))],
  }
}

/** Whom the directory knows by a name, or undefined; throws what goes wrong on the way. */
export const personOf = (directory: LocatedDirectory, name: string): Promise<Person | undefined> =>
  withDirectory(directory, async client => {
    await signIn(client, directory)
    return find(client, directory, name.toLowerCase())
  })

const holds = (directory: LocatedDirectory, dn: string, password: string): Promise<boolean> =>
  withDirectory(directory, client =>
    client.bind(dn, password).then(
      () => true,
      (error: { code?: unknown }) => {
        if (error.code === invalidCredentials) return false
        throw error
      },
    ),
  )

/**
 * Who proves by `password` to be the person of this name. An unknown name costs as many steps as a wrong password: a
 * login that cannot be right is tried in its place. No password is none, whatever the directory says to it: servers let
 * everybody in without one, as nobody (RFC 4513 section 5.1.2).
 */
export async function provenPerson(
  directory: LocatedDirectory,
  name: string,
  password: string,
): Promise<Person | undefined> {
  if (password === '') return undefined
  const person = await personOf(directory, name)
  const random = randomBytes(18).toString('hex')
  const right = await holds(directory, person?.dn ?? `cn=${random},${directory.base}`, person ? password : random)
  return person && right ? person : undefined
}
