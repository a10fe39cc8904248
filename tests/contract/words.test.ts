import { createTranslator } from 'next-intl'
import { authorities, builtInRoles, features, isSuperOnly } from '@/model/authority'
import { codes } from '@/model/codes'
import { menu } from '@/model/menu'
import { anyKindIds, loadKind } from '@/model/registry'
import { calls } from '@/server/door/calls'
import { reasons } from '@/server/drivers/driver'
import { effects } from '@/server/drivers/effects'
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

/** Warnings that leave nothing to be done, and why. */
const nothingToDo: Record<string, string> = {
  radiusRetries: 'all else of the server works',
  radiusSecond: 'the first server works',
  ssidPortal: 'it says what was set',
  'portalUntold.names': 'phones find the portal without it',
  'portalUntold.way': 'phones find the portal without it',
  portalDrops: 'the rates hold as well as the device can',
  limitDrops: 'the rate holds as well as the device can',
  limitVlans: 'the rate holds as well as the device can',
  lanPrefixWide: 'clients have IPv6',
  wanHealthOwn: 'the device’s own settings watch it',
  applyUnfinished: 'it ends by itself',
  steeringOpenwrt: 'the network’s other devices steer',
  meshOpenwrt: 'the network’s other devices have the mesh',
}
const verbs = `Add|Allow|Assign|Check|Choose|Change|Filter|Import|Install|Open|Read|Release|Remove|Repair|Save|Set|Stop|Switch|Take|Turn`
/** The words name the next step themselves: in a sentence that asks for it, or as the package that is missing. */
const isTold = (said: string) =>
  new RegExp(`[.:;] (?:On the device, |On OpenWrt, )?(?:${verbs}|${verbs.toLowerCase()}|give)\\b`).test(said) ||
  /\bpackages?\b|on the device’s own page/.test(said)

test('every warning of a plan or a check says what to do, or it is said why there is nothing to do', () => {
  const said = (code: string) => wordAt('change', `warnings.${code}`)
  const codes = Object.keys(effects)
  expect(codes.filter(code => typeof said(code) !== 'string')).toEqual([])
  const adviceOf = (code: string) =>
    [code, code.split('.')[0]].map(key => wordAt('change', `advice.${key}`)).find(one => typeof one === 'string')
  const silent = codes.filter(code => !adviceOf(code) && !isTold(String(said(code))))
  expect(silent.toSorted()).toEqual(Object.keys(nothingToDo).toSorted())
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
