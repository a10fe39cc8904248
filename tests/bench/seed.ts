import { eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alerts, changelog, clientEvents, clients, credentials, devices, groups } from '@/db/schema'
import { sealCredential } from '@/server/devices/link/credential-store'
import { macOf } from '@/server/kernel/changelog'
import { readConfig } from '@/server/kernel/config'
import { type Runtime, startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { backupState } from '@/server/manager/backups/state'
import { addNetwork } from '@/server/networks/networks/networks'
import { createOrganization, passwordDigest } from '@/server/people/accounts/accounts'
import { hashPassword } from '@/server/people/accounts/passwords'
import { root } from '../appliance/_manager'
import { owner } from '../soak/owner'
import { seedHistory, seedStations } from './seed-history'

/** The farm's address of device `i`: all of 127/8 is local, every address is a device of its own. */
export const farmAddress = (i: number) => `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`

type Place = { organization: number; network: number }

const groupCount = 40
/** Groups that every device but some is in, three levels deep. */
function seedGroups(db: Db, { organization, network }: Place, now: number): (number | null)[] {
  const made: (number | null)[] = [null]
  for (let i = 1; i <= groupCount; i++) {
    const parent = i % 4 === 0 ? null : (made[i - 1] ?? null)
    const row = { organization, network, parent, name: `Floor ${i}`, createdAt: now }
    made.push(db.insert(groups).values(row).returning({ id: groups.id }).get().id)
  }
  return made
}

const alertCount = 10_000
function seedAlerts(db: Db, place: Place, count: number, now: number): void {
  for (let i = 0; i < alertCount; i++) {
    const [device, at] = [1 + (i % count), now - (alertCount - i) * 10_000]
    const values = JSON.stringify({ name: `dev-${device}`, reason: 'timeout' })
    const row = { ...place, device, level: 5, type: 'deviceOffline', values, at, read: i % 50 !== 0 }
    db.insert(alerts).values(row).run()
  }
}

const entryCount = 100_000
/** A changelog as years make it, chained as it is written. */
function seedChangelog({ db, secrets }: Runtime, place: Place, now: number): void {
  let mac = ''
  for (let i = 0; i < entryCount; i++) {
    const row = {
      ...place,
      ...{
        at: now - (entryCount - i) * 60_000,
        account: owner.account,
        address: '10.0.0.5',
        document: null,
        kept: null,
      },
      ...{ action: i % 3 ? 'edit' : 'create', object: 'device', name: `dev-${i % 997}` },
      fields: JSON.stringify({ name: [`dev-${i}`, `dev-${i + 1}`] }),
    }
    mac = macOf(secrets, row, mac)
    db.insert(changelog)
      .values({ ...row, mac })
      .run()
  }
}

/** The farm's host `n` (from 1) behind device `i`. */
const macOfHost = (i: number, n: number): string =>
  `02:00:${[...farmAddress(i).split('.').slice(1).map(Number), n].map(byte => byte.toString(16).padStart(2, '0')).join(':')}`

type Seen = { network: number; count: number; hosts: number; now: number }
const eventCount = 50_000
/** Clients that were seen behind every device, with names and events, and what was measured of them. */
function seedClients(db: Db, file: string, { network, count, hosts, now }: Seen): void {
  const all = Array.from({ length: count * hosts }, (_, at) => {
    const device = 1 + Math.floor(at / hosts)
    return { mac: macOfHost(device, 1 + (at % hosts)), device, port: `port${1 + (at % hosts)}`, at }
  })
  db.transaction(tx => {
    for (const { mac, device, port, at } of all)
      tx.insert(clients)
        .values({
          ...{ network, mac, device, port, hostname: `host-${at}`, name: at % 20 ? '' : `Desk ${at}` },
          ...{ address: `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`, online: false, wifi: false },
          ...{ firstSeenAt: now - 180 * 86_400_000, seenAt: now - at * 1000 },
        })
        .run()
    for (let i = 0; i < eventCount; i++) {
      const one = all[i % all.length] as (typeof all)[number]
      tx.insert(clientEvents)
        .values({
          ...{ network, mac: one.mac, device: one.device, port: one.port },
          ...{ at: now - (eventCount - i) * 50_000, what: i % 2 ? 'left' : 'joined' },
        })
        .run()
    }
  })
  const macs = all.map(one => one.mac)
  seedStations(file, network, macs, Math.floor(now / 1000))
}

/** How it was used before: interfaces of each device, how long its history goes back, and hosts behind each device. */
type Lived = { interfaces: number; seconds?: number; hosts?: number }

/**
 * A data folder as it is after the wizard and the adoption of `count` SNMP devices at the farm's addresses. `lived`: with
 * groups, and with the history, the alerts and the changelog of a fleet that was in use for long.
 */
export async function seedFleet(data: string, count: number, port: number, lived?: Lived) {
  const runtime = await startRuntime(
    [],
    readConfig({ LANWARD_DATA: data, LANWARD_ROOT: root, LANWARD_CONF: '/nonexistent', LANWARD_SETUP_CODE: 'off' }),
  )
  const password = await hashPassword(passwordDigest(owner.password))
  const now = Date.now()
  const where = { country: 'PT', timezone: 'UTC' }
  const network = runtime.db.transaction(tx => {
    const { organization } = createOrganization(
      tx,
      'Bench',
      { account: owner.account, email: '', password, timezone: 'UTC', locale: 'en' },
      now,
    )
    const made = addNetwork(tx, organization, { networkName: 'Bench', ...where }, now)
    setup.change(tx, { finished: true, at: now })
    // Else the backup that was never made would be made up for in the middle of what is measured.
    backupState.change(tx, {
      lastProven: { name: 'before.tar.gz', at: now, documents: 0, devices: 0, portable: false },
    })
    const login = tx
      .insert(credentials)
      .values({
        organization,
        network: made,
        name: 'public',
        type: 'snmp2c',
        secret: '',
        createdAt: now,
        changedAt: now,
      })
      .returning({ id: credentials.id })
      .get()
    const secret = sealCredential(runtime, login.id, { type: 'snmp2c', community: 'public' })
    tx.update(credentials).set({ secret }).where(eq(credentials.id, login.id)).run()
    const place = { organization, network: made }
    const inGroups = lived ? seedGroups(tx, place, now) : [null]
    for (let i = 1; i <= count; i++) {
      const row = {
        ...place,
        group: inGroups[i % inGroups.length],
        name: `dev-${i}`,
        address: farmAddress(i),
        port,
        driver: 'snmp',
        kind: 'switch',
      } as const
      tx.insert(devices)
        .values({ ...row, credential: login.id, status: 3, statusAt: now, createdAt: now })
        .run()
    }
    if (lived) seedAlerts(tx, place, count, now)
    if (lived) seedChangelog({ ...runtime, db: tx as unknown as Db }, place, now)
    return made
  })
  const file = `${runtime.generation}/history.sqlite`
  if (lived) seedHistory(file, { devices: count, network, ...lived })
  if (lived?.hosts) seedClients(runtime.db, file, { network, count, hosts: lived.hosts, now })
  await stopRuntime()
  return network
}
