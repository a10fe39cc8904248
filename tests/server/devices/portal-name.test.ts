// By what name phones are told to ask the portal: whether its certificate is one that they trust, and for how long.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { makeCertificate } from '@/appliance/http/tls'
import { portalName } from '@/server/devices/change/plan/portal-name'
import { makeAuthority, type Pair, sign } from '@/server/networks/certificates/x509'
import { removeFolder } from '../../appliance/_manager'

const day = 86_400_000
const now = Date.now()
const data = mkdtempSync(`${tmpdir()}/lanward-test-`)
let authority: Pair
beforeAll(async () => {
  mkdirSync(`${data}/tls`)
  authority = await makeAuthority('House', now)
})
afterAll(() => removeFolder(data))

const put = (pem: string) => writeFileSync(`${data}/tls/uploaded.crt`, pem)
const leaf = async (days: number, ...names: string[]) =>
  sign(authority, { name: 'x', use: 'server', days, names: names.map(value => ({ type: 'dns', value })) }, now)
const named = (names: string[], at = now, portalPort = 8880) => portalName({ data, names, portalPort }, at)

test('without a certificate of somebody else’s phones are told of nothing', async () => {
  expect(named(['wifi.house.example'])).toEqual({ why: 'ownCertificate' })
  put((await makeCertificate(['wifi.house.example'])).cert)
  expect(named(['wifi.house.example'])).toEqual({ why: 'ownCertificate' })
  put('hello')
  expect(named(['wifi.house.example'])).toEqual({ why: 'ownCertificate' })
})

test('a name that the manager has and its certificate is for is the portal’s, unless there is no portal', async () => {
  const { certificate, validTo } = await leaf(60, 'www.house.example', 'wifi.house.example')
  put(certificate)
  const found = named(['console.lan', 'wifi.house.example'])
  expect(found).toMatchObject({ name: 'wifi.house.example', known: false })
  expect(Math.abs(('name' in found ? found.ends : 0) - validTo)).toBeLessThan(1000)
  expect(named(['wifi.house.example'], now, 0)).toEqual({ why: 'noPortal' })
})

test.each([
  ['none of the manager’s', ['wifi.house.example'], ['console.house.example'], undefined],
  ['an address', ['wifi.house.example'], ['192.0.2.1'], undefined],
  ['one of the LAN alone', ['wifi.local'], ['wifi.local'], undefined],
  ['one of all below a name', ['*.house.example'], ['wifi.house.example'], 'wifi.house.example'],
  ['one that is too deep for it', ['*.house.example'], ['a.wifi.house.example'], undefined],
])('the certificate’s name is %s', async (_, certified, own, name) => {
  put((await leaf(60, ...certified)).certificate)
  expect(named(own)).toMatchObject(name ? { name } : { why: 'noName', names: certified })
})

test('a certificate counts from its beginning to seven days before its end', async () => {
  put((await leaf(30, 'wifi.house.example')).certificate)
  const at = (days: number) => named(['wifi.house.example'], now + days * day)
  const said = [-1, 0, 22, 24, 29, 31].map(days => {
    const one = at(days)
    return 'why' in one ? one.why : one.name
  })
  expect(said).toEqual(['notYet', 'wifi.house.example', 'wifi.house.example', 'endsSoon', 'endsSoon', 'ended'])
})
