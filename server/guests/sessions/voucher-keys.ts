import { createHash } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { devices, documents, voucherGroups, vouchers } from '@/db/schema'
import { termsOf } from '@/model/guests/voucher'
import { ssid as ssidKind } from '@/model/wifi/ssid'
import { isAssigned } from '@/server/devices/change/plan/assigned'
import { fleetOf } from '@/server/devices/link/fleet'
import { isDeviceError } from '@/server/drivers/driver'
import type { KeyState, KeyUse } from '@/server/drivers/keys'
import { keyUsed, timeRan } from '@/server/guests/vouchers/away'
import { fullKeys, type KeySsid, keySsids, voucherKeys } from '@/server/guests/vouchers/key-list'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { assignsOf } from '@/server/networks/settings/store'
import { inTurn, type Turns } from './turns'

// Access points are given the vouchers that are keys of their Wi-Fi networks, as state: when somebody sells or voids, and
// again and again, since what they tell of first uses and of who is in goes on.

const everyMs = 10_000
const patienceMs = 15_000

type Point = { device: number; ssids: KeySsid[] }

/** Those that answer, each with the networks that go to it. */
function pointsOf({ db }: Runtime, network: number, ssids: readonly KeySsid[]): Point[] {
  const assigns = assignsOf(
    db,
    ssids.map(one => one.id),
  )
  const groups = networkGroups(db, network)
  return db
    .select({ id: devices.id, group: devices.group })
    .from(devices)
    .where(and(eq(devices.network, network), eq(devices.driver, 'linux'), eq(devices.status, 1)))
    .all()
    .flatMap(one => {
      const own = ssids.filter(({ id }) => {
        const assign = assigns.get(id)
        return assign && isAssigned(assign, one.id, pathOf(groups, one.group))
      })
      return own.length > 0 ? [{ device: one.id, ssids: own }] : []
    })
}

type Asked = Point & { state: KeyState }

/** One that does not answer, or was not pushed to yet, is passed by: its poll tells of it. */
async function ask(runtime: Runtime, point: Point): Promise<Asked[]> {
  try {
    return [{ ...point, state: await fleetOf(runtime).ask('keyState', { id: point.device }) }]
  } catch (error) {
    if (!isDeviceError(error)) throw error
    return []
  }
}

/** First uses, each once: the earliest counts, and none before the voucher was made or renewed. */
function merge({ db }: Runtime, network: number, uses: readonly KeyUse[], now: number): number {
  return db.transaction(() => {
    let merged = 0
    for (const { voucher: id, at } of uses.toSorted((a, b) => a.at - b.at)) {
      const own = and(eq(vouchers.id, id), eq(vouchers.network, network))
      const found = db.select().from(vouchers).where(own).get()
      if (!found || found.keySince !== null) continue
      const keySince = Math.min(now, Math.max(at * 1000, found.validFrom))
      keyUsed(db, found, keySince)
      merged += 1
    }
    return merged
  })
}

const stepSeconds = 30

/** Time runs on by the clock, whether anybody is in or not. */
function countKeys({ db }: Runtime, network: number, now: number): number {
  const rows = db
    .select({ voucher: vouchers, group: voucherGroups })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))
    .where(and(eq(vouchers.network, network), isNotNull(vouchers.keySince)))
    .all()
  let changed = 0
  db.transaction(() => {
    for (const { voucher, group } of rows) {
      const { seconds } = termsOf(group, voucher)
      const ran = Math.min(seconds, Math.floor((now - (voucher.keySince ?? now)) / 1000))
      const isOver = ran === seconds && voucher.usedSeconds < ran
      if (!isOver && ran - voucher.usedSeconds < stepSeconds) continue
      timeRan(db, voucher.id, ran, now)
      changed += 1
    }
  })
  return changed
}

/** What is used by the portal goes on and on: the access point needs it to ten minutes. */
const digestOf = (keys: Awaited<ReturnType<typeof voucherKeys>>): string =>
  createHash('sha256')
    .update(JSON.stringify(keys.map(one => ({ ...one, seconds: one.seconds && Math.ceil(one.seconds / 600) }))))
    .digest('hex')

async function giveAll(runtime: Runtime, network: number): Promise<void> {
  const ssids = keySsids(runtime, network)
  if (ssids.length === 0) return
  const points = pointsOf(runtime, network, ssids)
  const asked = (await Promise.all(points.map(point => ask(runtime, point)))).flat()
  const now = Date.now()
  const uses = asked.flatMap(one => one.state.uses)
  const changed = merge(runtime, network, uses, now) + countKeys(runtime, network, now)
  const first =
    changed > 0
      ? runtime.db.query.networks.findFirst({ where: (of, { eq: is }) => is(of.id, network) }).sync()
      : undefined
  if (first) runtime.bus.emit({ topic: 'vouchers', organization: first.organization, network })
  const only = fullKeys(
    runtime,
    network,
    asked.flatMap(one => one.state.present),
  )
  const all = await voucherKeys(runtime, network, ssids, only, now)
  const done = asked.map(async ({ device, ssids: own, state }) => {
    const keys = all.filter(key => own.some(({ id }) => id === key.ssid))
    const list = { digest: digestOf(keys), keys, merged: state.uses }
    given.of(runtime).set(device, { network, vouchers: new Set(keys.map(one => one.voucher)) })
    if (state.digest === list.digest && state.uses.length === 0) return
    await fleetOf(runtime).ask('putKeys', { id: device, list })
  })
  for (const one of await Promise.allSettled(done))
    if (one.status === 'rejected') console.error('guests: an access point does not take its vouchers:', one.reason)
}

/** The vouchers that each access point was given last. */
const given = part('voucherKeysGiven', (): Map<number, { network: number; vouchers: Set<number> }> => new Map())

/** What somebody took away goes from where it was given before anything else is asked: nobody waits for a poll. */
async function voidGone(runtime: Runtime, network: number): Promise<void> {
  const known = [...given.of(runtime)].filter(([, one]) => one.network === network)
  if (known.length === 0) return
  const there = new Set(
    runtime.db
      .select({ id: vouchers.id })
      .from(vouchers)
      .where(eq(vouchers.network, network))
      .all()
      .map(one => one.id),
  )
  const told = known.map(async ([device, { vouchers: had }]) => {
    const gone = [...had].filter(id => !there.has(id))
    if (gone.length === 0) return
    for (const id of gone) had.delete(id)
    await fleetOf(runtime).ask('voidKeys', { id: device, vouchers: gone, endBy: Date.now() + patienceMs })
  })
  // Who does not hear it is given its list as soon as it answers.
  for (const one of await Promise.allSettled(told))
    if (one.status === 'rejected' && !isDeviceError(one.reason)) throw one.reason
}

const turns = part('voucherKeyTurns', (): Turns<never> => new Map())

/** One at a time for a network; all who ask meanwhile share the next. */
export const giveKeys = (runtime: Runtime, network: number): Promise<void> =>
  inTurn(turns.of(runtime), String(network), [], () => giveAll(runtime, network))

export function startVoucherKeys(runtime: Runtime, every = everyMs): void {
  const failed = (error: unknown) => console.error('guests:', error)
  const all = async () => {
    const of = runtime.db
      .selectDistinct({ network: documents.scopeId })
      .from(documents)
      .where(and(eq(documents.kind, ssidKind.id), eq(documents.scope, 'network')))
      .all()
    await Promise.all(of.map(({ network }) => giveKeys(runtime, network).catch(failed)))
  }
  runtime.jobs.start({ id: 'voucher-keys', every, run: all })
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic !== 'vouchers' || network === undefined) return
    voidGone(runtime, network)
      .then(() => giveKeys(runtime, network))
      .catch(failed)
  })
  runtime.closers.push(off)
}
