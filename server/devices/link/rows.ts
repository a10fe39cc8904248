import type { devices } from '@/db/schema'
import type { Facts } from '@/server/drivers/observation'

type Columns = Pick<
  typeof devices.$inferInsert,
  'facts' | 'vendor' | 'model' | 'serial' | 'firmware' | 'partNumber' | 'hardware' | 'boot' | 'ipv6'
> & {
  mac?: string
}

/** What a device says of itself, as columns of its row; the MAC only where it gives one. */
export const factsColumns = (facts: Facts): Columns => ({
  facts: JSON.stringify(facts),
  vendor: facts.vendor ?? '',
  model: facts.model ?? '',
  serial: facts.serial ?? '',
  firmware: facts.firmware ?? '',
  partNumber: facts.partNumber ?? '',
  hardware: facts.hardware ?? '',
  boot: facts.boot ?? '',
  ipv6: facts.ipv6 ?? null,
  ...(facts.mac && { mac: facts.mac.toLowerCase() }),
})
