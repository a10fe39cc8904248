import { isOldAfter, news, topicsOf } from '@/app/_api/news'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { filesUnder, readText } from './_tree'

const all = calls as readonly AnyCall[]
const pathsThat = (holds: (call: AnyCall) => boolean) => all.filter(holds).map(call => call.path)

test('each call that changes something says what a page shows of it, or why none does', () => {
  const says = ({ topics = [], unheard }: AnyCall) => topics.length > 0 || unheard !== undefined
  expect(pathsThat(call => call.changes && !says(call))).toEqual([])
})

test('a call that only asks makes no news', () => expect(pathsThat(call => !call.changes && !!call.topics)).toEqual([]))

test('before the page is left, and beside what it shows, few calls change anything', () => {
  // Signing in and the wizard lead to another page; a form that began keeps what it was begun with.
  expect(pathsThat(call => call.unheard === 'leaves' && !/^(?:auth|sso|wizard)\//.test(call.path))).toEqual([
    ...['login', 'logout', 'account/delete', 'backups/restore'],
  ])
  expect(pathsThat(call => call.unheard === 'unseen').sort()).toEqual([
    ...['appearance/set', 'auth/password-notice/later', 'language/set', 'mfa/setup'],
  ])
})

test('each line of the table is about calls that there are', () => {
  const lines = Object.entries(news).flatMap(([topic, reads]) => reads.map(read => [topic, read] as const))
  const fitting = (read: string) => {
    const pattern = new RegExp(`^${read.replaceAll('**', '.+').replaceAll('*', '[^/]+')}$`)
    return all.some(({ path }) => pattern.test(path))
  }
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.filter(([, read]) => !fitting(read))).toEqual([])
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

const isOld = (act: string, read: string, input: object) =>
  isOldAfter(act, all.find(call => call.path === act)?.topics ?? [], read, input)

test.each([
  ['webhooks/delete', 'webhooks/list', {}],
  ['settings/schedule/save', 'settings/ssid/list', {}],
  ['settings/schedule/save', 'settings/schedule/options', { networkId: 1 }],
  ['clients/block', 'settings/blockedClient/list', {}],
  ['changelog/revert', 'changes/list', {}],
  ['groups/transfer', 'devices/info', { id: 4 }],
  ['manager/certificate/delete', 'manager/certificate/get', {}],
  ['account/security/save', 'auth/mfa-info', {}],
])('after %s the answer of %s is old', (act, read, input) => expect(isOld(act, read, input)).toBe(true))

test.each([
  // Whoever shows it leaves; a form that is being filled in is not begun anew.
  ['devices/delete', 'devices/info', { networkId: 1, id: 4 }],
  ['groups/delete', 'groups/info', { groupId: 4 }],
  ['settings/schedule/save', 'settings/ssid/get', { id: 'a' }],
  ['users/list', 'users/list', {}],
  ['devices/push', 'devices/traffic', {}],
])('after %s that of %s %j stays', (act, read, input) => expect(isOld(act, read, input)).toBe(false))
