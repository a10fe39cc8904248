import { readdirSync } from 'node:fs'
import { filesUnder, readText, words } from './_tree'

// A message that nobody says costs each language a translation. Keys are put together in code, so what is looked for is
// the last part of a key, as a name or a text of the code, or a template that its end fits.

const code = ['app', 'server', 'model', 'appliance', 'db']
  .flatMap(floor => filesUnder(floor, /\.(tsx?|mjs)$/))
  .map(path => readText(path).replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/[^\n]*/g, ''))

/** Names, and whole texts with their last part alone: `'detail.charts.title'` says `title`, too. */
function spokenIn(texts: readonly string[]): ReadonlySet<string> {
  const names = texts.flatMap(text => text.match(/[A-Za-z_$][\w$]*/g) ?? [])
  const quoted = texts.flatMap(text => [...text.matchAll(/'([^'\n]*)'/g)].map(([, one = '']) => one))
  return new Set([...names, ...quoted, ...quoted.map(one => one.split('.').at(-1) ?? '')])
}

/** What the end of a key may be by a template such as `types.${name}Why`; one that fixes less than two letters says nothing. */
function patternsIn(texts: readonly string[]): RegExp {
  const templates = texts.flatMap(text => [...text.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].map(([, one = '']) => one))
  const fixed = templates.map(one => one.split(/\$\{[^}]*\}/))
  const usable = fixed.filter(
    parts => parts.every(part => /^[\w.-]*$/.test(part)) && /[A-Za-z]{2}/.test(parts.join(' ')),
  )
  const ends = usable.map(parts => parts.map(part => part.replaceAll('.', '\\.')).join('[^.]+'))
  return new RegExp(`(?:^|\\.)(?:${[...new Set(ends)].join('|')})$`)
}

type Words = ReturnType<typeof words>
const keysOf = (tree: Words, path: readonly string[] = []): string[][] =>
  Object.entries(tree).flatMap(([key, one]) =>
    typeof one === 'string' ? [[...path, key]] : keysOf(one, [...path, key]),
  )

const spoken = spokenIn(code)
const patterns = patternsIn(code)
const unsaid = (tree: Words): string[] =>
  keysOf(tree)
    .filter(path => !spoken.has(path.at(-1) ?? '') && !patterns.test(path.join('.')))
    .map(path => path.join('.'))

/** By number, and by the path of a call: tests of their own hold each of these. */
const listed = ['codes', 'openapi']
const areas = readdirSync('locales/en').map(file => file.replace(/\.json$/, ''))

test.each(areas.filter(area => !listed.includes(area)))('every message of %s is said', area => {
  expect(unsaid(words(area))).toEqual([])
})

test('a message that nobody says is found, and one that a template says is not', () => {
  const tree = { page: { neverSaidByAnybody: 'x', title: 'x' }, types: { pushRevertedWhy: 'x' } }
  expect(unsaid(tree)).toEqual(['page.neverSaidByAnybody'])
})
