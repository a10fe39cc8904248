import type { CallInput } from '@/app/_api/client'

export type Range = NonNullable<CallInput<'dashboard/bandwidth'>['range']>
export const ranges: readonly Range[] = ['2h', '1d', '1w', '1m', '3m', '6m']

/** The range of an address: a day where it names none. */
export const rangeOf = (text: string | string[] | null | undefined): Range => ranges.find(one => one === text) ?? '1d'

const minutes = (count: number) => count * 60_000

/** A range's points change as slowly as they are rolled up (specification section 9, "Charts"). */
export const refreshMs: Record<Range, number> = {
  ...{ '2h': minutes(5), '1d': minutes(5), '1w': minutes(30) },
  ...{ '1m': minutes(180), '3m': minutes(180), '6m': minutes(180) },
}
