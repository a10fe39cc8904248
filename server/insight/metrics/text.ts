import { type FamilyName, families, type Group } from './families'

// Prometheus' text format, version 0.0.4.

export const textType = 'text/plain; version=0.0.4; charset=utf-8'

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const quoted = (value: string) => `"${value.replace(/[\\"\n]/g, char => escapes[char] ?? char)}"`

const labelled = (names: readonly string[], row: readonly string[]) =>
  names.length === 0 ? '' : `{${names.map((name, at) => `${name}=${quoted(row[at] ?? '')}`).join(',')}}`

function linesOf({ family, names, rows, values }: Group): string {
  let lines = ''
  rows.forEach((row, index) => {
    const value = values[index] ?? Number.NaN
    if (!Number.isNaN(value)) lines += `${family}${labelled(names, row)} ${value}\n`
  })
  return lines
}

/** All series, those of one family together, however they come; what has none is not named. */
export async function textOf(groups: AsyncIterable<Group>): Promise<string> {
  const found = new Map<FamilyName, string[]>()
  for await (const group of groups) {
    const lines = linesOf(group)
    if (!lines) continue
    const before = found.get(group.family)
    if (before) before.push(lines)
    else found.set(group.family, [lines])
  }
  const heads = [...found].map(([name, parts]) => {
    const { help, type } = families[name]
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${parts.join('')}`
  })
  return heads.join('')
}
