import { eq, inArray } from 'drizzle-orm'
import { devices, networks, radiusNetworks } from '@/db/schema'
import { ipv4Number, normalSegment } from '@/model/addresses'
import { type RadiusClientFields, radiusClient } from '@/model/profiles/radius-client'
import { type RadiusUserFields, radiusUser } from '@/model/profiles/radius-user'
import { openedRows } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { networkCertificates, serverCertificate } from '@/server/networks/certificates/store'
import { radiusSecret } from '@/server/networks/settings/radius-here'
import { kindRows } from '@/server/networks/settings/store'
import { type Asker, type Person, radiusdConf, usersFile } from './render'

type Network = { id: number; organization: number }

/** Networks for which it is on. */
export const radiusNetworksOf = ({ db }: Runtime): Network[] =>
  db
    .select({ id: networks.id, organization: networks.organization })
    .from(radiusNetworks)
    .innerJoin(networks, eq(networks.id, radiusNetworks.network))
    .orderBy(networks.id)
    .all()

/** By which the manager itself asks its own server. */
export const ownSecret = ({ secrets }: Runtime): string => secrets.derive('radius:own')

function peopleOf({ db, secrets }: Runtime, { id: network, organization }: Network, now: number): Person[] {
  const valid = networkCertificates(db, network).filter(
    one => one.organization === organization && one.use === 'client' && one.revokedAt === null && one.validTo > now,
  )
  const serials = new Map<string, string[]>()
  for (const { name, serial } of valid) serials.set(name, [...(serials.get(name) ?? []), serial])
  return openedRows(secrets, radiusUser, kindRows(db, network, radiusUser.id)).flatMap(({ row, data }) => {
    const { name, enabled, password, vlan } = data as RadiusUserFields
    if (!enabled) return []
    const own = serials.get(name) ?? []
    const known = { ...(password !== undefined && { password }), ...(vlan !== undefined && { vlan }) }
    return [{ id: row.id, network, name, serials: own, ...known }]
  })
}

/** What a person entered first: it says more than what the manager knows of a device. */
export function askersOf(runtime: Runtime, all: readonly Network[]): Asker[] {
  const { db, secrets } = runtime
  const entered = all.flatMap(({ id: network, organization }) =>
    openedRows(secrets, radiusClient, kindRows(db, network, radiusClient.id)).map(({ row, data }) => {
      const { address, secret } = data as RadiusClientFields
      return { id: `client_${row.id.replaceAll('-', '_')}`, address, secret, network, organization }
    }),
  )
  const found = db
    .select({ id: devices.id, address: devices.address, network: devices.network })
    .from(devices)
    .where(
      inArray(
        devices.network,
        all.map(one => one.id),
      ),
    )
    .orderBy(devices.id)
    .all()
    .filter(one => ipv4Number(one.address) !== undefined && !/^(127|0)\./.test(one.address))
    .map(({ id, address, network }) => {
      const organization = all.find(one => one.id === network)?.organization ?? 0
      return { id: `device_${id}`, address, secret: radiusSecret(secrets, network), network, organization }
    })
  const holders = new Map<string, Set<number>>()
  for (const { address, organization } of found) {
    const key = normalSegment(address)
    holders.set(key, (holders.get(key) ?? new Set()).add(organization))
  }
  // What asks from the address of another company's device is that device.
  const ownEntered = entered.filter(
    ({ address, organization }) => holders.get(normalSegment(address))?.has(organization) ?? true,
  )
  const taken = new Set<string>()
  return [...ownEntered, ...found].filter(({ address }) => {
    const key = normalSegment(address)
    return !taken.has(key) && taken.add(key)
  })
}

export type Made = { files: Map<string, string>; people: readonly Person[]; mark: string }

/** Every file that FreeRADIUS reads, by its name; none while it is off everywhere. `mark`: by which a server knows its users. */
export async function radiusFiles(runtime: Runtime, now: number): Promise<Made> {
  const all = radiusNetworksOf(runtime)
  if (all.length === 0) return { files: new Map(), people: [], mark: '' }
  const organizations = [...new Set(all.map(one => one.organization))]
  const files = new Map<string, string>()
  for (const organization of organizations) {
    const { pem, authority } = await serverCertificate(runtime, organization, now)
    files.set(`${organization}.pem`, pem).set(`${organization}-authority.pem`, authority)
  }
  const people = all.flatMap(one => peopleOf(runtime, one, now))
  const mark = runtime.secrets
    .mac(usersFile(people), 'radiusUsers')
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .slice(0, 40)
  files
    .set('users', usersFile(people, mark))
    .set('radiusd.conf', radiusdConf({ askers: askersOf(runtime, all), organizations, ownSecret: ownSecret(runtime) }))
    .set('on', '')
  return { files, people, mark }
}
