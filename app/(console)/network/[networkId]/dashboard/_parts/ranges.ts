import type { CallInput } from '@/app/_api/client'

export type Range = NonNullable<CallInput<'dashboard/bandwidth'>['range']>
export const ranges: readonly Range[] = ['2h', '1d', '1w', '1m', '3m', '6m']
