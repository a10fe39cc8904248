// What fields of settings were called before, and how they said it: stored settings were moved by a migration; files of
// networks and entries of the changelog are as old as they are, and read by this.

type Value = (was: unknown) => unknown
const inMegabytes: Value = was => `${was} MB`

const former: Readonly<Record<string, Readonly<Record<string, readonly [name: string, value: Value]>>>> = {
  portal: { dailyMegabytes: ['dailyData', inMegabytes], monthlyMegabytes: ['monthlyData', inMegabytes] },
}

/** Fields of a kind by the names that they have now; `each` says what of a field is its value. */
export function presentFields<Field>(
  kind: string,
  fields: Readonly<Record<string, Field>>,
  each: (field: Field, value: Value) => Field,
): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const [name, value] = former[kind]?.[key] ?? []
      return name === undefined || value === undefined ? [key, field] : [name, each(field, value)]
    }),
  )
}
