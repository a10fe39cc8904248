// The guests' page by a name of the network: told to whoever is in, where the gateway answers it.
import { hostname } from 'node:os'
import { type Guest, type House, house } from './_house'

let one: House
let lans: string[] = []
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:a0:${count.toString(16).padStart(2, '0')}`, ip: `10.66.4.${count}` }
}
beforeAll(async () => {
  one = await house({ name: 'Named', methods: ['free'], pageName: 'Hotel.Internal' })
  const portal = await one.save('portal', { name: 'As it comes', methods: ['free'] })
  const lan = (vlan: number, more: object) =>
    one.save('lan', {
      ...{ name: `LAN ${vlan}`, vlan, address: `10.${vlan}.0.1/24`, portal, assign: { all: true } },
      ...{ poolStart: `10.${vlan}.0.100`, poolEnd: `10.${vlan}.0.200`, ...more },
    })
  const options = [{ code: 6, type: 'address', value: '9.9.9.9' }]
  lans = [await lan(71, {}), await lan(72, { dns1: '9.9.9.9' }), await lan(73, { options })]
})
afterAll(() => one.end())

const come = async (lan: string, url: string) => {
  const guest = device()
  await one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free' }, {}, lan)
  return (await one.get(one.query(guest, { url }, lan), {}, lan)).text
}

test('who is in is told by which name the page is found again', async () => {
  expect(await come(lans[0] ?? '', 'http://example.com/')).toContain('Open <bdi dir="ltr">wifi.internal</bdi> to see')
})

test.each([
  ['other name servers are given', () => lans[1] ?? ''],
  ['other name servers are given by an option', () => lans[2] ?? ''],
  ['the gateway gives no addresses', () => one.lan],
])('not where %s: nobody would answer it', async (_, lan) => {
  const text = await come(lan(), 'http://example.com/')
  expect(text).toContain('Keep this page')
  expect(text).not.toMatch(/wifi\.internal|hotel\.internal/i)
})

test('whoever came by that name, or by the address behind it, wanted this page and no other', async () => {
  for (const url of ['http://WIFI.internal/', 'http://192.0.2.1/'])
    expect(await come(lans[0] ?? '', url)).not.toContain('You wanted to open')
  expect(await come(lans[0] ?? '', 'http://example.com/')).toContain('You wanted to open')
})

test.each([
  ['a name that it was given', () => 'Net.Example.com'],
  ['the name of its machine', () => hostname()],
])('a name by which the manager itself is reached is refused at its field: %s', async (_, name) => {
  one.manager.runtime.config.names.push('net.example.com')
  const fields = { name: 'Taken', methods: ['free'] }
  const { retCode, data } = await one.owner.post('settings/portal/save', { ...fields, pageName: name() })
  expect([retCode, data.fields]).toEqual([10000, { pageName: 'managerName' }])
  expect(
    (await one.owner.post('settings/portal/save', { ...fields, name: _, pageName: 'wifi.example.com' })).retCode,
  ).toBe(0)
})
