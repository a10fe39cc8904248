// Why a client is slow or offline: one without a fault, and one whose DHCP or name server is gone.
import { stateOf } from '@/model/troubleshooting/client-check'
import { begin, checked, clientMac, during } from './_client-check'
import { addressOf } from './_lab'
import { ap, end, internet, site } from './_troubleshooting'

beforeAll(begin)
afterAll(end)

test('a client without a fault: each check says what was measured, and none is blamed', async () => {
  const address = await addressOf('c2')
  const { checks, cause } = await checked()
  expect(cause).toBeUndefined()
  const seen = Object.fromEntries(checks.map(one => [one.what, one]))
  expect(seen.connection).toMatchObject({ reason: 'connected', values: { place: 'p4' }, from: 'sw1' })
  expect(seen.signal).toMatchObject({ reason: 'wired' })
  expect(seen.portErrors).toMatchObject({ reason: 'clean' })
  expect(Number(seen.portErrors?.values.frames)).toBeGreaterThan(0)
  expect(seen.dhcp).toMatchObject({ reason: 'lease', values: { address }, from: 'gw' })
  expect(seen.dns).toMatchObject({ reason: 'answers', values: { answer: internet } })
  expect(seen.gateway).toMatchObject({ reason: 'reached', values: { sent: 10, received: 10 } })
  expect(seen.wan).toMatchObject({ reason: 'nextHop', values: { target: internet, received: 5 } })
  expect(checks.filter(one => stateOf(one) === 'unknown').map(one => one.what)).not.toContain('gateway')
})

test('the fault is named: no DHCP server', async () => {
  expect((await during('gw', 'systemctl stop dnsmasq', 'systemctl start dnsmasq')).cause).toBe('dhcp noServer')
})

test('the fault is named: no name server, while DHCP goes on', async () => {
  const off = 'echo port=0 >/etc/dnsmasq.d/fault.conf && systemctl restart dnsmasq'
  const { cause } = await during('gw', off, 'rm /etc/dnsmasq.d/fault.conf; systemctl restart dnsmasq')
  expect(cause).toBe('dns noServer')
})

test('a client that no device ever saw, and one with a device to look from, are refused at their fields', async () => {
  const refused = (request: object, more = {}) => site.browser.post('diagnostics/run', { request, ...more })
  expect(await refused({ tool: 'client', mac: '02:00:00:00:00:77' })).toMatchObject({
    data: { fields: { 'request.mac': 'notFound' } },
  })
  expect(await refused({ tool: 'client', mac: await clientMac() }, { deviceId: ap })).toMatchObject({
    data: { fields: { deviceId: 'notAllowed' } },
  })
  expect(await refused({ tool: 'client', mac: 'x' })).toMatchObject({
    data: { fields: { 'request.mac': expect.any(String) } },
  })
})
