import { createHash, webcrypto } from 'node:crypto'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { guests, networks, voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import { limitBytes, termsOf, usedNow, validUntil } from '@/model/guests/voucher'
import { resetsOf } from '@/model/reset-cycle'
import { slowLines } from '@/server/drivers/guests'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { openCode } from './codes'

// The vouchers of a network as its gateways know them while the manager is away: by hashes, never by codes.

/** More of them than a gateway should keep: the newest. */
const most = 20_000

const sum = (text: string) => createHash('sha256').update(text).digest('hex')

/** By which the slow hashes are made; of the network, so that each code is hashed once. */
export const networkKey = ({ secrets }: Pick<Runtime, 'secrets'>, network: number): string =>
  secrets.mac(String(network), 'voucherList')
/** By which a gateway's own list is made of them. */
export const gatewayKey = ({ secrets }: Pick<Runtime, 'secrets'>, device: number): string =>
  secrets.mac(String(device), 'gatewayVouchers')

const lineBytes = 65

/** As the gateway's shell makes it, off this thread. */
export async function slowHash(key: string, code: string): Promise<string> {
  const text = Buffer.alloc(slowLines * lineBytes, `${sum(key + code)}\n`)
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', text)).toString('hex')
}

export const listHash = (key: string, slow: string): string => sum(key + sum(key + slow))

/** A voucher's code never changes: by its digest, as long as the process lives. */
const slowHashes = part('slowHashes', (): Map<string, string> => new Map())

export type AwayVoucher = {
  slow: string
  voucher: number
  /** What stays as it is until somebody sells, renews or voids, or it lets a device in. */
  terms: string
  /** What is used on and on. */
  use: { seconds: number; runs: boolean; bytes: number | undefined; devices: string }
  per: 'v' | 'd'
  most: number
  down: number | null
  up: number | null
  until: number
}

type Device = typeof voucherDevices.$inferSelect
type Open = { voucher: number | null; mac: string; readings: string }

/** Times of rows are in ms, of gateways in seconds. */
const secondsOf = (ms: number) => Math.floor(ms / 1000)

function rowsOf({ db }: Runtime, network: number, now: number) {
  const valid = sql`${vouchers.validFrom} + ${voucherGroups.validityDays} * 86400000 > ${now}`
  return db
    .select({ voucher: vouchers, group: voucherGroups, zone: networks.timezone })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))
    .innerJoin(networks, eq(networks.id, vouchers.network))
    .where(and(eq(vouchers.network, network), valid))
    .orderBy(sql`${vouchers.id} DESC`)
    .limit(most)
    .all()
    .map(found => ({ ...found, group: termsOf(found.group, found.voucher) }))
}

function byVoucher<T extends { voucher: number | null }>(rows: readonly T[]): Map<number | null, T[]> {
  const found = new Map<number | null, T[]>()
  for (const row of rows) {
    const known = found.get(row.voucher)
    if (known) known.push(row)
    else found.set(row.voucher, [row])
  }
  return found
}

function devicesOf({ db }: Runtime, network: number): Map<number | null, Device[]> {
  const rows = db
    .select({ one: voucherDevices })
    .from(voucherDevices)
    .innerJoin(vouchers, eq(vouchers.id, voucherDevices.voucher))
    .where(eq(vouchers.network, network))
    .orderBy(voucherDevices.firstAt, voucherDevices.mac)
    .all()
  return byVoucher(rows.map(({ one }) => one))
}

const openOf = ({ db }: Runtime, network: number): Map<number | null, Open[]> =>
  byVoucher(
    db
      .select({ voucher: guests.voucher, mac: guests.mac, readings: guests.readings })
      .from(guests)
      .where(and(eq(guests.network, network), isNull(guests.ended), isNotNull(guests.voucher)))
      .all(),
  )

/** All vouchers that are not expired, each with its slow hash; those alone whose code can be read. `device`: the gateway. */
export async function awayVouchers(
  runtime: Runtime,
  network: number,
  device: number,
  now: number,
): Promise<AwayVoucher[]> {
  const key = networkKey(runtime, network)
  const known = slowHashes.of(runtime)
  const rows = rowsOf(runtime, network, now)
  for (const { voucher } of rows) {
    if (known.has(voucher.digest)) continue
    const code = openCode(runtime.secrets, voucher)
    if (code !== undefined) known.set(voucher.digest, await slowHash(key, code))
  }
  const [devices, open] = [devicesOf(runtime, network), openOf(runtime, network)]
  // Read anew: what was sold or voided meanwhile.
  return rowsOf(runtime, network, now).flatMap(({ voucher, group, zone }) => {
    const slow = known.get(voucher.digest)
    if (slow === undefined) return []
    const last = resetsOf(group, zone, now)?.last
    const used = usedNow(voucher, last)
    const limit = limitBytes(group)
    const running = open.get(voucher.id) ?? []
    const reading = (mac: string) => {
      const one = running.find(of => of.mac === mac)
      return one ? ((JSON.parse(one.readings) as Record<string, number>)[device] ?? 0) : 0
    }
    const own = devices.get(voucher.id) ?? []
    const perDevice = group.bytesPer === 'device'
    const [down, up, until] = [group.downloadKbps, group.uploadKbps, secondsOf(validUntil(voucher, group))]
    return [
      {
        ...{ slow, voucher: voucher.id, most: group.maxDevices, down, up, until },
        per: perDevice ? ('d' as const) : ('v' as const),
        terms: JSON.stringify([
          ...[slow, voucher.id, voucher.validFrom, group.seconds, limit, group.bytesPer, group.maxDevices],
          ...[down, up, until, own.map(one => one.mac), running.map(one => one.mac), last],
        ]),
        use: {
          seconds: Math.max(0, group.seconds - used.seconds),
          runs: running.length > 0,
          bytes: limit === undefined ? undefined : Math.max(0, limit - (perDevice ? 0 : used.bytes)),
          devices: own
            .map(one => `${one.mac}/${perDevice ? usedNow(one, last).bytes : 0}/${reading(one.mac)}`)
            .join(','),
        },
      },
    ]
  })
}

/** Lines of a gateway's list, as unix/gate-away.ts has them. */
export const awayLine = (key: string, one: AwayVoucher): string =>
  [
    ...['v', listHash(key, one.slow), one.voucher, one.use.seconds, one.use.runs ? 1 : 0, one.use.bytes ?? '-'],
    ...[one.per, one.most, one.down ?? '-', one.up ?? '-', one.until, one.use.devices || '-'],
  ].join(' ')
