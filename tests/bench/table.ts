/** One measured figure: what, how much, what was aimed at. A miss is reported as it is. */
export type Row = { what: string; figure: string; aim: string; met: boolean | undefined }

export const row = (what: string, value: number, unit: string, aim: number | undefined, digits = 2): Row => ({
  what,
  figure: `${value.toFixed(digits)} ${unit}`,
  aim: aim === undefined ? '' : `at most ${aim} ${unit}`,
  met: aim === undefined ? undefined : value <= aim,
})

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, figure, aim, met }) =>
      `| ${what} | ${figure} | ${aim} | ${met === undefined ? '' : met ? 'met' : 'missed'} |`,
  )
  return ['| what | measured | aim | |', '|---|---|---|---|', ...lines].join('\n')
}

/** The value below which `share` of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
