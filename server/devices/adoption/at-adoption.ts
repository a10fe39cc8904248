import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { radio } from '@/model/wifi/radio'
import { keepImport, sealKept } from '@/server/devices/link/import-store'
import { isRefusal } from '@/server/kernel/fail'
import type { SettingsContext } from '@/server/networks/settings/documents'
import { saveSingle, viewSingle } from '@/server/networks/settings/singles'
import type { AtAdoption } from '@/server/worker/protocol'

// The country of a device's radios is imported as it is adopted: else the network's would reach none of them, and who
// imports a radio later would change it unasked.

type Context = Omit<SettingsContext, 'network'> & { network: { id: number; name: string } }

/**
 * The country that the device keeps by a setting of its own, since its network has another; null where none is needed,
 * undefined where settings cannot say what it has: radios of two countries.
 */
function keptCountry(context: Context, device: number, { proposals }: AtAdoption): string | null | undefined {
  const told = new Set(proposals.flatMap(({ kind, fields }) => (kind === radio.id ? (fields.country ?? []) : [])))
  if (told.size > 1) return undefined
  const { db } = context.runtime
  const network = db.select().from(networks).where(eq(networks.id, context.network.id)).get()
  const { inherited } = viewSingle(context, radio, { device })
  const [own] = told
  return typeof own !== 'string' || own === (inherited.country?.value ?? network?.country) ? null : own
}

/** Stores what is imported with an adoption. Call it inside its transaction. A radio without a country gets the network's. */
export function importAtAdoption(context: Context, device: number, imports: AtAdoption | undefined): void {
  const { runtime, actor, now } = context
  if (!imports || imports.items.length === 0) return
  const country = keptCountry(context, device, imports)
  if (country === undefined) return
  if (country !== null && !keeps(context, device, country)) return
  for (const item of imports.items) {
    const key = { device, item: item.id }
    const all = Object.keys(item.options)
    const says = Object.fromEntries(all.map(option => [option, [radio.id, 'country'] as [string, string]]))
    const since = Object.fromEntries(all.map(option => [option, now]))
    const row = { ...key, organization: actor.organization, document: '', importedAt: now, by: actor.account }
    const made = JSON.stringify(country === null ? {} : { [radio.id]: ['country'] })
    const kept = sealKept(runtime, key, { ...item, says, since })
    keepImport(runtime.db, { ...row, kept, made, releasedAt: null })
  }
}

/** False where it contradicts what the device inherits: then its radios stay its own. */
function keeps(context: Context, device: number, country: string): boolean {
  try {
    saveSingle(context, radio, { scope: { device }, revision: 0, fields: { country } })
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}
