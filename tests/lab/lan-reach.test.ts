// Whom a client of one of the LAN's networks reaches in another.
import type { DesiredDocument } from '@/server/drivers/driver'
import { lab, until } from './_lab'
import { apply, begin, confirm, guest, office, reaches } from './_lan'
import { join, trunkOff } from './_vlan'

beforeAll(begin)
afterAll(trunkOff)

test('networks reach each other until one is isolated, and again when it no longer is', async () => {
  await join(20)
  await until(() => reaches('192.168.30.1'))
  await confirm(await apply([{ ...guest, data: { ...guest.data, isolation: true } }, office]))
  await until(() => reaches('192.168.20.1'))
  await until(() => reaches('203.0.113.1'))
  expect(await reaches('192.168.30.1')).toBe(false)
  await confirm(await apply([guest, office]))
  await until(() => reaches('192.168.30.1'))
})

test('a rule about two networks parts them, and leaves the internet and the way back', async () => {
  const rule: DesiredDocument = {
    id: 'parted',
    kind: 'wiredRule',
    name: 'parted',
    data: { name: 'parted', from: 'lan', fromLan: guest.data, to: 'lan', toLan: office.data, action: 'reject' },
  }
  await confirm(await apply([guest, office, rule]))
  const host = /^ip='?([\d.]+)/m.exec(await join(30, 'c1'))?.[1]
  await lab.sh('c1', 'mkdir -p /tmp/www; echo office >/tmp/www/index.html; busybox httpd -p 8000 -h /tmp/www')
  await join(20)
  const [outside, inside] = ['http://203.0.113.1/', `http://${host}:8000/`]
  const get = async (url: string, client: 'c1' | 'c2' = 'c2') =>
    (await lab.sh(client, `curl -s -o /dev/null -m 5 ${url}`)).code
  await until(async () => (await get(outside)) === 0)
  // The gateway's own address in the other network is no host of it.
  await until(() => reaches('192.168.30.1'))
  expect(await get(inside)).toBe(7)
  await until(async () => (await get(outside, 'c1')) === 0)
  await confirm(await apply([guest, office]))
  await until(async () => (await get(inside)) === 0)
})
