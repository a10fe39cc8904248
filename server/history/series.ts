/**
 * As they stand in the file, where no number may ever come to mean another: 0 and 1 take no byte there, so those with the
 * most rows have them. A client's id is the history's own (./client-numbers.ts), the ways to the internet have their gateway's.
 */
const numbers = { device: 0, client: 1, network: 2, wan: 3 } as const

/** What is measured. */
export type Measured = keyof typeof numbers
export type Series = { of: Measured; id: number }

export const measured = Object.keys(numbers) as Measured[]
export const numberOf = (of: Measured): number => numbers[of]
export const measuredAs = (number: number): Measured | undefined => measured.find(of => numbers[of] === number)

/** Both in one number, for what is held in memory by series. */
export const keyOf = ({ of, id }: Series): number => id * 8 + numbers[of]
