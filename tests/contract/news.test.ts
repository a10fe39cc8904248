import { isOldAfter, news, newsOf, topicsOf } from '@/app/_api/news'
import { calls } from '@/server/door/calls'
import { filesUnder, readText } from './_tree'

/** Calls that change what no list of the console shows, or that lead to another page. */
const elsewhere = [
  ...['login', 'logout', 'account/delete', 'appearance/set', 'language/set', 'mfa/setup', 'backups/restore'],
  ...[/^auth\//, /^sso\//, /^wizard\//],
]
const isElsewhere = (path: string) => elsewhere.some(one => (one instanceof RegExp ? one.test(path) : one === path))
const paths = (changes: boolean) => calls.filter(call => call.changes === changes).map(call => call.path)

test('each call that changes something renews what a page shows of it', () => {
  expect(paths(true).filter(path => newsOf(path).length === 0 && !isElsewhere(path))).toEqual([])
})

test('a call that only asks renews nothing', () => {
  expect(paths(false).filter(path => newsOf(path).length > 0)).toEqual([])
})

test('each line of the table is about calls that exist', () => {
  const known = calls.map(call => call.path as string)
  const topic = (path: string) => [...newsOf(path), ...topicsOf(path)]
  const used = new Set(known.flatMap(topic))
  expect(Object.keys(news).filter(one => !used.has(one as keyof typeof news))).toEqual([])
})

test('what a part of the page wants live has news that it hears', () => {
  const live = filesUnder('app', /\.tsx?$/).flatMap(file =>
    [
      ...readText(file).matchAll(
        /use(?:Network)?Call\(\s*['`]([^'`]+)['`]((?:(?!use(?:Network)?Call\()[^;])*?)live: true/g,
      ),
    ].map(found => (found[1] ?? '').replace(/\$\{[^}]*\}/, 'ssid')),
  )
  expect(live.length).toBeGreaterThan(40)
  expect(live.filter(path => topicsOf(path).length === 0)).toEqual([])
})

test.each([
  ['webhooks/delete', 'webhooks/list', {}],
  ['settings/schedule/save', 'settings/ssid/list', {}],
  ['settings/schedule/save', 'settings/schedule/options', { networkId: 1 }],
  ['clients/block', 'settings/blockedClient/list', {}],
  ['changelog/revert', 'changes/list', {}],
  ['groups/transfer', 'devices/info', { id: 4 }],
  ['manager/certificate/delete', 'manager/certificate/get', {}],
  ['account/security/save', 'auth/mfa-info', {}],
])('after %s the answer of %s is old', (act, read, input) => expect(isOldAfter(act, read, input)).toBe(true))

test.each([
  // Whoever shows it leaves; a form that is being filled in is not begun anew.
  ['devices/delete', 'devices/info', { networkId: 1, id: 4 }],
  ['groups/delete', 'groups/info', { groupId: 4 }],
  ['settings/schedule/save', 'settings/ssid/get', { id: 'a' }],
  ['users/list', 'users/list', {}],
  ['devices/push', 'devices/traffic', {}],
])('after %s that of %s %j stays', (act, read, input) => expect(isOldAfter(act, read, input)).toBe(false))
