import { createTranslator } from 'next-intl'
import { authorities, builtInRoles, features, isSuperOnly } from '@/model/authority'
import { codes } from '@/model/codes'
import { menu } from '@/model/menu'
import { anyKindIds, loadKind } from '@/model/registry'
import { calls } from '@/server/door/calls'
import { reasons } from '@/server/drivers/driver'
import { commands } from '@/server/manager/command/commands'
import { singleEnvelope } from '@/server/networks/settings/calls'
import { documentEnvelope } from '@/server/networks/settings/documents'
import { wordAt, words } from './_tree'

test('every code has its words, and no number is there that nobody sends', () => {
  expect(Object.keys(words('codes')).toSorted()).toEqual(Object.values(codes).map(String).toSorted())
  expect(new Set(Object.values(codes)).size).toBe(Object.keys(codes).length)
})

test('every screen of the menu has a name, and an authority that exists', () => {
  const entries = menu.flatMap(entry => [entry, ...(entry.children ?? [])])
  expect(entries.filter(entry => typeof wordAt('menu', entry.name) !== 'string')).toEqual([])
  expect(entries.flatMap(entry => entry.authority).filter(name => !authorities.includes(name))).toEqual([])
})

test('every role, and every feature that one of an organization’s own can hold, has words', () => {
  const given = features.filter(one => one.area !== 'account' && !isSuperOnly(one.name))
  const keys = [
    ...given.flatMap(one => [`features.${one.name}`, `areas.${one.area}`]),
    ...builtInRoles.map(id => `builtIn.${id}`),
  ]
  expect(keys.filter(key => typeof wordAt('roles', key) !== 'string')).toEqual([])
})

test('every reason of a device has words and advice', () => {
  const without = reasons.filter(reason => typeof wordAt('reasons', `${reason}.advice`) !== 'string')
  expect(without).toEqual([])
})

type Def = { error?(issue: object): unknown; checks?: unknown[] } & Record<string, unknown>
const defOf = (part: unknown) => (part as { _zod?: { def: Def } } | null)?._zod?.def

/** What a schema, its checks and its parts say where a message was written beside them. */
function messagesOf(part: unknown, seen: Set<unknown>): unknown[] {
  if (part === null || typeof part !== 'object' || seen.has(part)) return []
  seen.add(part)
  const def = defOf(part)
  const inside = Object.values(def ?? part).flatMap(one => messagesOf(one, seen))
  return def?.error ? [def.error({ code: 'custom' }), ...inside] : inside
}

// What else is said of a field is a key of these words by its type (model/field-errors.ts). zod's own is any text.
test('every message written beside a field has words', async () => {
  const kinds = await Promise.all(anyKindIds.map(loadKind))
  const schemas = [
    ...calls.map(call => call.input),
    ...kinds.map(kind => kind.fields),
    ...Object.values(commands).map(command => command.input),
    ...[documentEnvelope, singleEnvelope],
  ]
  const messages = new Set(messagesOf(schemas, new Set()).filter(one => typeof one === 'string'))
  expect(messages.size).toBeGreaterThan(20)
  expect([...messages].filter(key => wordAt('errors', key) === undefined)).toEqual([])
})

test('what is said of a field of a kind is whole by itself: nothing in braces waits for a value', async () => {
  const wrong: string[] = []
  const texts = (tree: unknown, path = ''): string[] =>
    typeof tree === 'string' ? [path] : Object.entries(tree ?? {}).flatMap(([key, one]) => texts(one, `${path}.${key}`))
  for (const id of anyKindIds) {
    const { area } = await loadKind(id)
    const t = createTranslator({
      locale: 'en',
      messages: words(area),
      onError: error => wrong.push(`${id}: ${error.message}`),
    }) as (key: string) => string
    for (const key of texts(wordAt(area, `${id}.fields`))) t(`${id}.fields${key}`)
  }
  expect(wrong).toEqual([])
})

// Actions, objects and most fields need no test: their types are the words' keys (server/kernel/changelog.ts).
test('what an entry of the changelog says of fields that it takes from a row has words', () => {
  const own = ['username', 'company', 'locale', 'timezone', 'dateFormat', 'hours', 'appearance', 'sessionTimeout']
  expect(own.filter(key => typeof wordAt('changelog', `fields.${key}`) !== 'string')).toEqual([])
})
