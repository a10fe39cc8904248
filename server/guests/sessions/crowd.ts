import { and, eq, isNull, ne } from 'drizzle-orm'
import { guests } from '@/db/schema'
import { credentialMethods, guestMethods } from '@/model/guests/methods'
import type { Runtime } from '@/server/kernel/runtime'
import type { Place } from './place'
import type { Device, Entry } from './store'

const limited: readonly number[] = credentialMethods.map(name => guestMethods[name])

/**
 * Whether as many other devices are in by the same credential as the portal lets in at a time (rule G10): by the same name,
 * address or number anywhere in the network, by the password in the same LAN. Who reads a letter with a code counts not.
 * Call it with nothing awaited before the session begins, so the last place goes once.
 */
export function isCrowded({ db }: Pick<Runtime, 'db'>, place: Place, { mac }: Device, entry: Entry): boolean {
  const most = place.policy.maxDevices ?? 0
  if (most === 0 || entry.provisional || !limited.includes(entry.method)) return false
  const name = (entry.label ?? '').toLowerCase()
  // A page elsewhere that names nobody.
  if (!name && entry.method !== guestMethods.simplePassword) return false
  const others = db
    .select({ lan: guests.lan, label: guests.label })
    .from(guests)
    .where(
      and(
        ...[eq(guests.network, place.network), eq(guests.method, entry.method), ne(guests.mac, mac)],
        ...[isNull(guests.ended), eq(guests.provisional, false)],
      ),
    )
    .all()
  const same = others.filter(one => (name ? one.label.toLowerCase() === name : one.lan === place.lan))
  return same.length >= most
}
