import type { CallOutput } from '@/app/_api/client'

export type Group = CallOutput<'vouchers/groups/list'>['result'][number]
export type Voucher = CallOutput<'vouchers/list'>['result'][number]
export type Template = CallOutput<'vouchers/templates/list'>['result'][number]
