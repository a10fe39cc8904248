import { check, type Data } from '@/model/kind'
import { radius } from '@/model/profiles/radius'
import { ssid } from '@/model/wifi/ssid'

const server = { name: 'Office', server: '10.77.0.9', secret: 's' }
const problems = (data: Data) => {
  const checked = check(radius, data)
  return 'data' in checked ? {} : checked.fields
}

test.each([
  ['port', [1, 65_535], [0, 65_536, 1.5]],
  ['secret', ['s', 'x'.repeat(64), 'a "b" \\ # $(id)'], ['', 'x'.repeat(65), 'a\nb']],
  ['nasId', ['x'.repeat(48)], ['x'.repeat(49), 'a\nb']],
  [
    'server',
    ['10.0.0.1', 'fd00::1', 'radius', 'radius.example', 'radius://radius.example', 'https://[fd00::1]/'],
    ['127.0.0.1', '224.0.0.1', '10.0.0', 'radius://radius.example:1812', 'http://x/path', 'a b', 'ftp://x'],
  ],
  ['protocol', [0, 1, 255], [-1, 256, 1.5]],
  ['retryTimeout', [1, 120], [0, 121]],
  ['retries', [1, 5], [0, 6]],
] as const)('G3: %s', (field, good, bad) => {
  for (const value of good) expect(problems({ ...server, [field]: value })).toEqual({})
  for (const value of bad) expect(Object.keys(problems({ ...server, [field]: value }))).toEqual([field])
})

test('G3: a URL is kept as its server', () => {
  const kept = (text: string) => check(radius, { ...server, server: text })
  expect(kept('radius://Radius.example/')).toMatchObject({ data: { server: 'Radius.example' } })
  expect(kept('https://[fd00::1]')).toMatchObject({ data: { server: 'fd00::1' } })
})

test('G3: the accounting interval is 30 to 604,800, and exists with accounting only', () => {
  const accounting = (accountingInterval: number) => ({ ...server, accounting: true, accountingInterval })
  for (const value of [30, 604_800]) expect(problems(accounting(value))).toEqual({})
  for (const value of [29, 604_801]) expect(Object.keys(problems(accounting(value)))).toEqual(['accountingInterval'])
  expect(problems({ ...server, accountingPort: 1813 })).toEqual({ accountingPort: 'notUsed' })
})

test('a second server is another one, with a secret', () => {
  expect(problems({ ...server, secondServer: '10.77.0.10', secondSecret: 't' })).toEqual({})
  expect(problems({ ...server, secondServer: '10.77.0.10' })).toEqual({ secondSecret: 'required' })
  expect(problems({ ...server, secondServer: '10.77.0.9', secondSecret: 't' })).toEqual({ secondServer: 'duplicate' })
  expect(problems({ ...server, secondSecret: 't' })).toEqual({ secondSecret: 'notUsed' })
})

test('enterprise security asks for a server, and for no key', () => {
  const network = { name: 'Office', security: 'wpa2Enterprise' }
  const refused = (data: Data) => {
    const checked = check(ssid, data)
    return 'data' in checked ? {} : checked.fields
  }
  expect(refused(network)).toEqual({ radius: 'required' })
  const id = '5b1f0d2e-4c8a-4f5e-9d3b-2a1c0e9f8d7c'
  expect(refused({ ...network, radius: id })).toEqual({})
  expect(refused({ ...network, radius: id, key: 'harbour1234' })).toEqual({ key: 'notUsed' })
  expect(refused({ name: 'Open', security: 'open', radius: id })).toEqual({ radius: 'notUsed' })
})

test('the manager’s own server needs no address, port or secret, and takes none', () => {
  expect(problems({ name: 'Staff', here: true })).toEqual({})
  expect(problems({ ...server, port: 1812, here: true })).toEqual({
    ...{ server: 'notUsed', secret: 'notUsed', port: 'notUsed' },
  })
  expect(problems({ name: 'Staff' })).toEqual({ server: 'required', secret: 'required' })
  expect(problems({ name: 'Staff', here: true, accounting: true, accountingPort: 1813 })).toEqual({
    accountingPort: 'notUsed',
  })
})
