import { areas } from '@/app/_i18n/areas'
import { authorities, builtInRoles, features, isSuperOnly } from '@/model/authority'
import { codes } from '@/model/codes'
import { menu } from '@/model/menu'
import { reasons } from '@/server/drivers/driver'
import { filesUnder, readText, wordAt, words } from './_tree'

test('the list of areas is the folder', () => {
  const files = filesUnder('locales/en', /\.json$/).map(path => path.slice('locales/en/'.length, -'.json'.length))
  expect([...areas].toSorted()).toEqual(files.toSorted())
})

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

test('every message written beside a field has words', () => {
  const files = ['model', 'server'].flatMap(floor => filesUnder(floor, /\.ts$/))
  const patterns = [
    /\.(?:min|max|regex|refine|uuid|startsWith)\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*,\s*'([a-z][A-Za-z0-9]*)'\)/g,
    /z\.(?!literal)\w+\('([a-z][A-Za-z0-9]*)'\)/g,
    /message: '([a-z][A-Za-z0-9]*)'/g,
    /failFields\(\{[^}]*:\s*'([a-z][A-Za-z0-9]*)'/g,
  ]
  const keys = files.flatMap(path => {
    const text = readText(path)
    return patterns.flatMap(pattern => [...text.matchAll(pattern)].map(match => [path, match[1] ?? ''] as const))
  })
  expect(keys.length).toBeGreaterThan(20)
  const without = keys.filter(([, key]) => wordAt('errors', key) === undefined)
  expect(without).toEqual([])
})

test('warnings that drivers give have words', () => {
  const files = filesUnder('server', /\.ts$/).filter(path =>
    /server\/(drivers\/(linux|openwrt|unix|snmp)|devices\/change)\//.test(path),
  )
  const keys = files.flatMap(path =>
    [
      ...readText(path).matchAll(
        /\bwarn(?:ing)?\(\s*'([a-z][A-Za-z0-9.]*)'|\{\s*code: '([a-z][A-Za-z0-9.]*)',\s*(?:values|kind|blocks)/g,
      ),
    ].map(match => match[1] ?? match[2] ?? ''),
  )
  expect(keys.length).toBeGreaterThan(5)
  expect(keys.filter(key => typeof wordAt('change', `warnings.${key}`) !== 'string')).toEqual([])
})

// Actions and objects need no test: their types are the words' keys (server/kernel/changelog.ts).
test('what an entry of the changelog says of fields has words', () => {
  const written = filesUnder('server', /\.ts$/).flatMap(path =>
    [...readText(path).matchAll(/\bfields: \{ (\w+): \[/g)].map(match => match[1] ?? ''),
  )
  expect(written.length).toBeGreaterThan(5)
  const own = ['username', 'company', 'locale', 'timezone', 'dateFormat', 'hours', 'appearance', 'sessionTimeout']
  const keys = new Set([...written, ...own])
  expect([...keys].filter(key => typeof wordAt('changelog', `fields.${key}`) !== 'string')).toEqual([])
})
