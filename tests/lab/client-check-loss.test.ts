// Why a client is slow: what is lost on the way to it, and on the way out.
import { begin, dropping, during, noMore } from './_client-check'
import { addressOf } from './_lab'
import { end, internet } from './_troubleshooting'

beforeAll(begin)
afterAll(end)

test('the fault is named: loss between gateway and client', async () => {
  const address = await addressOf('c2')
  const half = dropping(`icmp type echo-request ip daddr ${address} numgen inc mod 2 < 1 drop`)
  expect((await during('gw', half, noMore)).cause).toBe('gateway loss')
})

test('the fault is named: loss on the WAN, and a next hop that is gone', async () => {
  const half = dropping(`icmp type echo-request ip daddr ${internet} numgen inc mod 2 < 1 drop`)
  expect((await during('gw', half, noMore)).cause).toBe('wan loss')
  const { cause } = await during('inet', 'ip link set eth0 down', 'ip link set eth0 up')
  expect(cause).toMatch(/^wan (hopSilent|noRoute)$/)
})
