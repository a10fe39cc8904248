import { areas } from '@/app/_i18n/areas'
import { available } from '@/model/locales'
import { readText } from './_tree'

type Words = { [key: string]: string | Words }
const read = (locale: string, area: string): Words => JSON.parse(readText(`locales/${locale}/${area}.json`)) as Words

/** Messages by their path of keys: `columns.name`. */
const flat = (words: Words, at = ''): [path: string, text: string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${at}${key}`, value] as [string, string]] : flat(value, `${at}${key}.`),
  )

/** What stands for a value or for markup: `{name}`, `{count, plural, one {…} other {…}}`, `<b>`. */
function placeholders(text: string): string[] {
  const found = [...text.matchAll(/<(\w+)>/g)].map(([tag]) => tag)
  let depth = 0
  // A brace in a message opens a value; one in a value opens a message, that of a case.
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{' && depth % 2 === 0) found.push(/^\w*/.exec(text.slice(index + 1).trimStart())?.[0] ?? '')
    depth += brace === '{' ? 1 : -1
  }
  return [...new Set(found)].toSorted()
}

/** What a language's words of one area have that English has not, lack, or say with other placeholders. */
function differences(english: Words, other: Words): string[] {
  const said = new Map(flat(other))
  const wanted = flat(english)
  const known = new Set(wanted.map(([path]) => path))
  const wrong = wanted.flatMap(([path, text]) => {
    const own = said.get(path)
    if (own === undefined) return [`${path} is missing`]
    return `${placeholders(own)}` === `${placeholders(text)}` ? [] : [`${path} has other placeholders`]
  })
  return [...wrong, ...[...said.keys()].filter(path => !known.has(path)).map(path => `${path} is not in English`)]
}

test('what a language lacks, adds, or says with other placeholders is found', () => {
  const english = { one: '{name} has {count, plural, one {port} other {# ports}}', a: { b: 'See <b>this</b>' } }
  const german = { one: '{count, plural, one {Port} other {# Ports}} hat {name}', a: { b: 'Siehe <b>dies</b>' } }
  expect(differences(english, german)).toEqual([])
  expect(differences(english, { one: '{nom}', c: 'x' })).toEqual([
    'one has other placeholders',
    'a.b is missing',
    'c is not in English',
  ])
})

test('every language that is offered says what English says', () => {
  const wrong = available.flatMap(locale =>
    areas.flatMap(area => differences(read('en', area), read(locale, area)).map(one => `${locale}/${area}: ${one}`)),
  )
  expect(wrong).toEqual([])
})
