import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { voucherGroups, vouchers } from '@/db/schema'
import { termsOf, validUntil } from '@/model/guests/voucher'
import { codeAlphabet } from '@/model/guests/voucher-code'
import { ssid as ssidKind } from '@/model/wifi/ssid'
import type { VoucherKey } from '@/server/drivers/keys'
import { openedRows } from '@/server/kernel/documents'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { kindRows } from '@/server/networks/settings/store'
import { openCode } from './codes'

// Vouchers as keys of Wi-Fi networks.

/** More of them than an access point should try at each join: the newest. */
const most = 5000
const tail = 4

/**
 * A voucher's passphrase: its code, and four characters that only the manager knows. Who hears a phone join can try
 * passphrases at home, a million a second: 23⁹ of them are an afternoon's work, 23¹³ are centuries.
 */
export function keyOf({ secrets }: Pick<Runtime, 'secrets'>, network: number, code: string): string {
  let rest = BigInt(`0x${secrets.mac(`${network} ${code}`, 'voucherKey').replace(/[^0-9a-f]/gi, '')}`)
  const size = BigInt(codeAlphabet.length)
  const more = Array.from({ length: tail }, () => {
    const sign = codeAlphabet[Number(rest % size)]
    rest /= size
    return sign
  })
  return code + more.join('')
}

/** Of rounds of SHA-1 under way. */
const atOnce = 32

const derived = promisify(pbkdf2)
/** Of a voucher in a network of that name (IEEE 802.11, J.4): off this thread, once as long as the process lives. */
const pmks = part('voucherPmks', (): Map<string, string> => new Map())

export type KeySsid = { id: string; name: string }

/** Wi-Fi networks that take vouchers as keys. */
export function keySsids({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>, network: number): KeySsid[] {
  return openedRows(secrets, ssidKind, kindRows(db, network, ssidKind.id)).flatMap(({ row, data }) =>
    data.security === 'ppsk' && data.vouchers === true && data.enabled !== false
      ? [{ id: row.id, name: row.name }]
      : [],
  )
}

type Row = { voucher: typeof vouchers.$inferSelect; group: typeof voucherGroups.$inferSelect }

/** Those that may be keys: of an access point nobody counts bytes, and no cycle is known there. */
function rowsOf({ db }: Runtime, network: number, now: number): Row[] {
  const valid = sql`${vouchers.validFrom} + ${voucherGroups.validityDays} * 86400000 > ${now}`
  const fit = and(sql`${voucherGroups.byteLimitMb} IS NULL`, eq(voucherGroups.resetDays, 0))
  return db
    .select({ voucher: vouchers, group: voucherGroups })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))
    .where(
      and(
        eq(vouchers.network, network),
        valid,
        fit,
        sql`${vouchers.usedSeconds} < ${voucherGroups.seconds} + ${vouchers.addedSeconds}`,
      ),
    )
    .orderBy(sql`${vouchers.id} DESC`)
    .limit(most)
    .all()
    .map(found => ({ ...found, group: termsOf(found.group, found.voucher) }))
}

const secondsOf = (ms: number) => Math.floor(ms / 1000)

/** The keys of a network's vouchers in these Wi-Fi networks; `only`: the devices that a voucher lets in for now. */
export async function voucherKeys(
  runtime: Runtime,
  network: number,
  ssids: readonly KeySsid[],
  only: ReadonlyMap<number, readonly string[]>,
  now: number,
): Promise<VoucherKey[]> {
  const known = pmks.of(runtime)
  const place = (digest: string, ssid: KeySsid) => `${digest} ${ssid.name}`
  const missing = rowsOf(runtime, network, now).flatMap(({ voucher }) => {
    const wanted = ssids.filter(ssid => !known.has(place(voucher.digest, ssid)))
    const code = wanted.length > 0 ? openCode(runtime.secrets, voucher) : undefined
    return code === undefined ? [] : wanted.map(ssid => ({ at: place(voucher.digest, ssid), code, ssid }))
  })
  for (let from = 0; from < missing.length; from += atOnce)
    await Promise.all(
      missing.slice(from, from + atOnce).map(async ({ at, code, ssid }) => {
        known.set(at, (await derived(keyOf(runtime, network, code), ssid.name, 4096, 32, 'sha1')).toString('hex'))
      }),
    )
  // Read anew: what was sold or voided meanwhile.
  return rowsOf(runtime, network, now).flatMap(({ voucher, group }) => {
    const until = validUntil(voucher, group)
    const { keySince, usedSeconds } = voucher
    const end = keySince === null ? until : Math.min(until, keySince + group.seconds * 1000)
    const alone = only.get(voucher.id)
    return ssids.flatMap(ssid => {
      const psk = known.get(place(voucher.digest, ssid))
      if (psk === undefined) return []
      return [
        {
          ...{ ssid: ssid.id, voucher: voucher.id, psk, end: secondsOf(end), most: group.maxDevices },
          ...(keySince === null && { seconds: group.seconds - usedSeconds }),
          ...(group.downloadKbps !== null && { down: group.downloadKbps }),
          ...(group.uploadKbps !== null && { up: group.uploadKbps }),
          ...(alone && { only: alone }),
        },
      ]
    })
  })
}

/** Who is in by keys that are full, on all access points together: those devices alone that were there first. */
export function fullKeys(
  { db }: Pick<Runtime, 'db'>,
  network: number,
  present: readonly { mac: string; voucher: number; seconds: number }[],
): Map<number, string[]> {
  const rows = db
    .select({ id: vouchers.id, most: voucherGroups.maxDevices })
    .from(vouchers)
    .innerJoin(voucherGroups, eq(voucherGroups.id, vouchers.group))
    .where(and(eq(vouchers.network, network), sql`${voucherGroups.maxDevices} > 0`))
    .all()
  const mostOf = new Map(rows.map(one => [one.id, one.most]))
  const found = new Map<number, string[]>()
  for (const { voucher, mac } of present.toSorted((a, b) => b.seconds - a.seconds)) {
    const own = found.get(voucher) ?? []
    if (mostOf.has(voucher) && !own.includes(mac)) found.set(voucher, [...own, mac])
  }
  return new Map(
    [...found].flatMap(([voucher, macs]) => {
      const room = mostOf.get(voucher) ?? 0
      return macs.length >= room ? [[voucher, macs.slice(0, room)] as const] : []
    }),
  )
}

/** Whether a group's vouchers may be keys. */
export const areKeys = ({ byteLimitMb, resetDays }: Pick<Row['group'], 'byteLimitMb' | 'resetDays'>): boolean =>
  byteLimitMb === null && resetDays === 0
