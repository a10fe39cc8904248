// Every call × every role (and nobody, an ended session, one that ran out) × each network that it can be asked about.

import { keyAuthorities } from '@/model/api-keys'
import {
  type Authorities,
  asGuest,
  authorities,
  authoritiesOf,
  type BuiltInRole,
  builtInRoles,
  completed,
  entersAll,
  inShared,
} from '@/model/authority'
import { codes } from '@/model/codes'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { share } from '../_sample'
import { type Browser, finishedWizard, type Manager } from '../server/_manager'
import { keyed, network, organization, type Person, person, role, sharedNetwork } from '../server/_people'
import { alsoOf, exporting, needOf } from './_rights'
import { startWholeManager } from './_whole'

export const every = calls as readonly AnyCall[]

export let manager: Manager
export let owner: Browser
/**
 * Network of most people here, another one of their organization, one of another organization, none at all; and two of a
 * third organization that it shares with the other one, to be read and to be co-managed.
 */
export const places = { here: 1, other: 0, far: 0, nowhere: 4711, lent: 0, lentWhole: 0 }
const ownPlaces = ['here', 'other', 'far', 'nowhere'] as const
const lentPlaces = ['lent', 'lentWhole'] as const
type Place = keyof typeof places
export let elsewhere: number
let readOnlyRole: string
const readOnly = ['devices', 'settings_wifi', 'organization_manager']

/** Each file of the matrix has a manager of its own. */
export function setUp(): void {
  beforeAll(begin)
  afterAll(() => manager.stop())
}

async function begin(): Promise<void> {
  manager = await startWholeManager()
  owner = await finishedWizard(manager)
  elsewhere = organization(manager, 'Elsewhere')
  places.other = network(manager, 'Other house')
  places.far = network(manager, 'Far house', elsewhere)
  const lender = organization(manager, 'Lender')
  places.lent = sharedNetwork(manager, 'Lent', lender, elsewhere, 'read')
  places.lentWhole = sharedNetwork(manager, 'Lent whole', lender, elsewhere, 'manage')
  readOnlyRole = role(manager, 'Watchers', readOnly)
}

type Cell = { status: number; retCode: number; data: { networkId?: number | null; fields?: Record<string, string> } }
/** Past all doors of the kernel its input is judged: the field that no call knows says that a call got there. */
const stranger = { surelyUnknown: 1 }

export async function ask(browser: Browser, call: AnyCall, place?: number): Promise<Cell> {
  const body = { ...stranger, ...(place !== undefined && { networkId: place }) }
  const plain = new URLSearchParams({ surelyUnknown: '1' }).toString()
  const where = place === undefined ? '' : `&networkId=${place}`
  const query = call.body === 'stream' ? `?${plain}${where}` : ''
  const sent = call.body === 'form' ? plain : JSON.stringify(body)
  const response = await browser.raw(call.path + query, { method: 'POST', body: sent })
  return { status: response.status, ...((await response.json()) as Omit<Cell, 'status'>) }
}

/** One word for an answer. */
export function told({ status, retCode, data }: Cell): string {
  if (status === 401) return 'signed out'
  if (retCode === codes.personOnly) return 'of a person'
  if (retCode === codes.noAuthority) return 'no authority'
  if (retCode === codes.notInShared) return 'not shared so far'
  if (retCode === codes.networkNotFound) return `no such network, go to ${data.networkId}`
  return data.fields?.surelyUnknown === 'unknownField' ? 'let in' : `${retCode}`
}

type Row = {
  name: string
  held: Authorities
  enters: readonly Place[]
  /** Where they land; else `here`. */
  home?: Place
  /** What they ask about. */
  asks?: readonly Place[]
  browser(): Promise<Browser>
  /** Comes with an API key. */
  key?: true
}

const builtIn = (name: BuiltInRole): Row => ({
  name,
  held: authoritiesOf(name),
  enters: entersAll(name) ? ['here', 'other'] : ['here'],
  browser: () => person(manager, { role: name, networks: [places.here] }),
})
/** Whoever asks. One more way to sign in is one more row. */
const rows: Row[] = [
  ...builtInRoles.map(builtIn),
  {
    name: 'a read-only role of one’s own making',
    held: new Set(completed(readOnly)),
    enters: ['here'],
    browser: () => person(manager, { role: readOnlyRole, networks: [places.here] }),
  },
  {
    name: 'a network administrator without a network',
    held: authoritiesOf('networkAdministrator'),
    enters: [],
    browser: () => person(manager, { role: 'networkAdministrator' }),
  },
  {
    name: 'an API key with all that one can have',
    held: new Set(keyAuthorities(authorities)),
    enters: ['here', 'other'],
    key: true,
    browser: async () => ownKey('superAdministrator', authorities),
  },
  {
    name: 'an API key that reads one network, of somebody who enters all',
    held: new Set(['devices', 'clients']),
    enters: ['here'],
    key: true,
    browser: async () => ownKey('superAdministrator', ['devices', 'clients'], [places.here]),
  },
  {
    name: 'an API key for more than its owner may',
    held: new Set(keyAuthorities(authoritiesOf('networkReadOnly'))),
    enters: ['here'],
    key: true,
    browser: async () => ownKey('networkReadOnly', authorities),
  },
  ...(['superAdministrator', 'networkAdministrator', 'networkReadOnly'] as const).map(guest),
  {
    ...guest('superAdministrator'),
    name: 'an API key of another company with all that one can have',
    held: asGuest(new Set(keyAuthorities(authorities))),
    key: true,
    browser: async () => keyOf(await elsewherePerson('superAdministrator'), authorities),
  },
  {
    ...guest('superAdministrator'),
    name: 'an API key of another company for one network that is shared with it',
    held: new Set(['devices', 'devices_edit', 'settings_wifi']),
    enters: ['lentWhole'],
    home: 'lentWhole',
    key: true,
    browser: async () =>
      keyOf(await elsewherePerson('superAdministrator'), ['devices_edit', 'settings_wifi'], [places.lentWhole]),
  },
]

const keyOf = ({ account }: Person, held: readonly string[], networks?: readonly number[]) =>
  keyed(manager, account, { authorities: held, networks })
const ownKey = async (role: string, held: readonly string[], networks?: readonly number[]) =>
  keyOf(await person(manager, { role, networks: [places.here] }), held, networks)
const elsewherePerson = (role: BuiltInRole) =>
  person(manager, { role, networks: lentPlaces.map(place => places[place]), organization: elsewhere })

/** Somebody of the organization that others share networks with. */
function guest(name: BuiltInRole): Row {
  return {
    name: `${name} of another company`,
    held: asGuest(authoritiesOf(name)),
    enters: lentPlaces,
    home: entersAll(name) ? 'far' : 'lent',
    asks: ['here', ...lentPlaces],
    browser: () => elsewherePerson(name),
  }
}

/** Of what asks for no right, what a key gets all the same. */
const forKeys = ['openapi.json', 'auth/authority', 'networks/options', 'countries', 'timezones']
const ofPersons = /^organization_(security|directory|api|mail|companies)(_edit)?$/
const isOfPerson = (path: string, need: string) =>
  need === 'open' || ofPersons.test(need) || (need === 'session' && !forKeys.includes(path))

/** What of a row's rights counts in a place. */
const heldAt = ({ held }: Row, place: Place): Authorities =>
  place === 'lent' ? inShared(held, 'read') : place === 'lentWhole' ? inShared(held, 'manage') : held

function expected(call: AnyCall, row: Row, place: Place): string {
  const need = needOf(call.path)
  if (need === undefined) throw new Error(call.path)
  if (row.key && isOfPerson(call.path, need)) return 'of a person'
  const holds = (held: Authorities) =>
    (!exporting.includes(call.path) || held.has('exports')) &&
    (need === 'open' || need === 'session' || [need, ...alsoOf(call.path)].some(name => held.has(name)))
  if (!holds(row.held)) return 'no authority'
  if (call.scope !== 'network') return 'let in'
  if (!row.enters.includes(place))
    return `no such network, go to ${row.enters.length ? places[row.home ?? 'here'] : null}`
  return holds(heldAt(row, place)) ? 'let in' : 'not shared so far'
}

/** The wizard is closed, whoever asks. */
export const asked = every.filter(call => !call.path.startsWith('wizard/'))
const placesOf = (call: AnyCall, { asks = ownPlaces }: Row): readonly Place[] =>
  call.scope === 'network' ? asks : ['here']

export type Who = 'people' | 'keys' | 'guests'
const whoOf = ({ key, asks }: Row): Who => (key ? 'keys' : asks ? 'guests' : 'people')

/** Each call as each of these, in each network. */
export function tryRows(who: Who): void {
  const theirs = rows.map((row, at) => ({ ...row, at })).filter(row => whoOf(row) === who)
  test.each(theirs)('$name', async row => {
    const browser = await row.browser()
    const [seen, wanted]: [string, string][][] = [[], []]
    for (const call of share(asked, row.at, 6))
      for (const place of placesOf(call, row)) {
        const cell = `${call.path} in ${place}`
        const answer = await ask(browser, call, call.scope === 'network' ? places[place] : undefined)
        seen?.push([cell, told(answer)])
        wanted?.push([cell, expected(call, row, place)])
      }
    expect(seen).toEqual(wanted)
  })
}
