import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, readText } from './_tree'

const files = ['app', 'server', 'model', 'db', 'appliance', 'tests'].flatMap(floor =>
  filesUnder(floor, /\.(tsx?|mjs|cjs)$/),
)
const comment = /\/\*[\s\S]*?\*\/|(?<![:"'`\w/])\/\/[^\n]*/g
const word = /[A-Za-z_$][\w$]*/g

/** A name as code has it: `one`, `one.two`, `one()`. What is more is an example, not a name. */
const name = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*(\(\))?$/
const path =
  /(?<![\w/.@-])(?:app|server|model|db|appliance|tests|locales|docs|\.)(?:\/(?:\([\w-]+\)|[\w[\].-]*[\w\]]))+/g

/** Names of others, or parts of names, that no code of ours says. */
const foreign = new Set(['workerId', 'ip4table', 'dhcp_release', '_total', '_info'])
/** Places to fill in. */
const examples = new Set(['tests/kernel/NAME', 'tests/lab/NAME.test.ts'])

/** Names between backticks in the comments of a text that `known` lacks. */
const stale = (text: string, known: ReadonlySet<string>): string[] =>
  [...text.matchAll(comment)]
    .flatMap(([said]) => [...said.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))
    .filter(code => name.test(code) && !(code.match(word) ?? []).every(one => known.has(one)))

/** Paths in the comments of a file that lead nowhere. */
const astray = (file: string, text: string): string[] =>
  [...text.matchAll(comment)]
    .flatMap(([said]) => [...said.matchAll(path)].map(([found]) => found))
    .filter(found => {
      const at = found.startsWith('.') ? join(file, '..', found) : found
      return !examples.has(found) && !['', '.ts', '.tsx', '.mjs'].some(ending => existsSync(`${at}${ending}`))
    })

test('a stale name and a stale path in a comment are found', () => {
  const known = new Set(['one', 'two'])
  expect(stale('/** As `one.two`, `one()`, `{ two: 3 }`. */ // `three`\nconst four = `five`', known)).toEqual(['three'])
  expect(astray('db/client.ts', '// as ./schema, db/gone.ts (db/schema/index.ts)')).toEqual(['db/gone.ts'])
})

test('every name between backticks in a comment, and every path, is there', () => {
  const texts = files.map(file => [file, readText(file)] as const)
  const known = new Set([...foreign, ...texts.flatMap(([, text]) => text.replaceAll(comment, '').match(word) ?? [])])
  const found = texts.flatMap(([file, text]) =>
    [...stale(text, known), ...astray(file, text)].map(one => `${file}: ${one}`),
  )
  expect(texts.length).toBeGreaterThan(1000)
  expect([...new Set(found)]).toEqual([])
})
