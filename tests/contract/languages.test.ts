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

/** The cases of a place in a message: `one` and `other` of `{count, plural, one {…} other {…}}`. */
function casesFrom(text: string, start: number): string[] {
  const cases: string[] = []
  let depth = 0
  for (let at = start; depth >= 0 && at < text.length; at += 1) {
    if (text[at] === '}') depth -= 1
    if (text[at] !== '{') continue
    if (depth === 0) cases.push(/(\S+)\s*$/.exec(text.slice(start, at))?.[1] ?? '')
    depth += 1
  }
  return cases
}

/** Plurals of a message that lack a form of the language: Polish counts in four, Japanese in one. */
function lackingForms(locale: string, text: string): string[] {
  return [...text.matchAll(/\{\s*\w+\s*,\s*(plural|selectordinal)\s*,/g)].flatMap(({ 0: head, 1: type, index }) => {
    const said = new Set(casesFrom(text, index + head.length))
    const rules = new Intl.PluralRules(locale, { type: type === 'plural' ? 'cardinal' : 'ordinal' })
    return rules.resolvedOptions().pluralCategories.filter(form => !said.has(form))
  })
}

/** What a language's words of one area lack: forms of a number. */
const unformed = (locale: string, words: Words): string[] =>
  flat(words).flatMap(([path, text]) => lackingForms(locale, text).map(form => `${path} has no “${form}”`))

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

test('a plural that lacks a form of its language is found, also one within another', () => {
  const text =
    '{n, plural, one {{m, plural, one {a} few {b} many {c} other {d}}} few {e} other {f}} {k, select, a {x} other {}}'
  expect(unformed('pl', { a: text })).toEqual(['a has no “many”'])
  expect(unformed('en', { a: text, b: '{n, plural, =0 {none} other {#}}' })).toEqual(['b has no “one”'])
  expect(unformed('en', { a: '{n, selectordinal, one {#st} other {#th}}' })).toEqual([
    'a has no “few”',
    'a has no “two”',
  ])
  expect(unformed('ja', { a: '{n, plural, other {#}}' })).toEqual([])
})

test('every language that is offered counts in all its forms', () => {
  expect(
    available.flatMap(locale =>
      areas.flatMap(area => unformed(locale, read(locale, area)).map(one => `${locale}/${area}: ${one}`)),
    ),
  ).toEqual([])
})

test('every language that is offered says what English says', () => {
  const wrong = available.flatMap(locale =>
    areas.flatMap(area => differences(read('en', area), read(locale, area)).map(one => `${locale}/${area}: ${one}`)),
  )
  expect(wrong).toEqual([])
})
