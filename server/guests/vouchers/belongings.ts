import { deskActs, voucherDevices, voucherGroups, vouchers, voucherTemplates } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

const inNetwork = (table: typeof voucherGroups | typeof vouchers | typeof voucherTemplates): Belonging => ({
  table,
  network: { of: table.network, deleted: 'cascades' },
  organization: { of: table.organization, deleted: 'before' },
  handedOver: 'follows',
})

export const voucherBelongings: readonly Belonging[] = [
  inNetwork(voucherGroups),
  inNetwork(vouchers),
  inNetwork(voucherTemplates),
  { table: voucherDevices },
  { table: deskActs, network: { of: deskActs.network, deleted: 'cascades' } },
]
