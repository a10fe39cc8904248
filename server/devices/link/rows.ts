import type { devices } from '@/db/schema'
import type { Facts } from '@/server/drivers/observation'

type Columns = Pick<typeof devices.$inferInsert, 'facts' | 'vendor' | 'model' | 'serial' | 'firmware'> & {
  mac?: string
}

/** What a device says of itself, as columns of its row; the MAC only where it gives one. */
export const factsColumns = (facts: Facts): Columns => ({
  facts: JSON.stringify(facts),
  vendor: facts.vendor ?? '',
  model: facts.model ?? '',
  serial: facts.serial ?? '',
  firmware: facts.firmware ?? '',
  ...(facts.mac && { mac: facts.mac.toLowerCase() }),
})
