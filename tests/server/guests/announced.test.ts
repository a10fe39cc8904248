// Of which LANs phones are told by DHCP, and why not: by the certificate, the portal, and what gateways were given.
import { mkdirSync, writeFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { alerts } from '@/db/schema'
import type { PortalFields } from '@/model/profiles/portal'
import { startChange } from '@/server/devices/change/start'
import { renderAll } from '@/server/drivers/assess'
import { lanRenderer } from '@/server/drivers/linux/lan/lan'
import { lookAtAnnounced } from '@/server/guests/portal/announced-watch'
import { certificateFile, tlsFolder } from '@/server/kernel/certificates/served'
import type { Runtime } from '@/server/kernel/runtime'
import { makeAuthority, type Pair, sign } from '@/server/networks/certificates/x509'
import { type ScriptedDevice, scriptedDevice, scriptedTransport } from '../_device'
import { every, type House, house } from './_house'

// Whom phones know: an authority that this test has the key of is one more.
const mockRoots: string[] = []
jest.mock('node:tls', () => ({
  ...jest.requireActual('node:tls'),
  get rootCertificates() {
    return mockRoots
  },
}))

const known = makeAuthority('Known', Date.now())
const unknown = makeAuthority('Unknown', Date.now())
const name = 'wifi.house.example'
const scripted = new Map<number, ScriptedDevice>()

/** Devices whose plans are made by the renderer of Linux gateways. */
const transport = {
  ...scriptedTransport(scripted),
  render: async ({
    documents,
    portal,
    confirmSeconds,
  }: Parameters<ReturnType<typeof scriptedTransport>['render']>[0]) => {
    const facts = { kind: 'gateway' as const, capabilities: ['root', 'systemd', 'dnsmasq', 'nftables'] as never }
    const interfaces = [{ key: 'eth1', name: 'eth1', type: 'ethernet' as const, addresses: ['10.0.0.1/24'] }]
    const observation = { takenAt: 0, depth: 'full' as const, interfaces } as never
    const gate = portal && {
      ...{ url: `http://10.0.0.9:${portal.port}/portal`, key: portal.key },
      ...(portal.api && { api: portal.api }),
    }
    const { blocks, warnings } = renderAll([lanRenderer], {
      facts,
      observation,
      documents,
      confirmSeconds,
      ...(gate && { gate }),
    })
    const rest = { unfit: [], carries: [], former: [], unsettled: false, slowSeconds: 0, reverts: 'device' as const }
    return { blocks, warnings, facts, ...rest }
  },
}

async function put({ config }: Runtime, by: Promise<Pair>, days: number, ...names: string[]): Promise<void> {
  const wanted = (names.length > 0 ? names : [name]).map(value => ({ type: 'dns' as const, value }))
  const { certificate } = await sign(await by, { name: 'x', use: 'server', days, names: wanted }, Date.now())
  writeFileSync(certificateFile(config.data, 'uploaded'), certificate)
}

let one: House
const lans: Record<string, string> = {}
const portals: Partial<Record<PortalFields['announce'], string>> = {}

beforeAll(async () => {
  mockRoots.push((await known).certificate)
  one = await house(every, [
    async runtime => {
      runtime.config.names.push(name, 'guests.house.example')
      mkdirSync(tlsFolder(runtime.config.data), { recursive: true })
      await put(runtime, known, 90)
    },
    async runtime => void (await startChange(runtime, transport)),
  ])
  for (const id of [one.gateway.id, one.other.id]) scripted.set(id, scriptedDevice())
  for (const [at, announce] of (['known', 'issued', 'off'] as const).entries()) {
    portals[announce] = await one.save('portal', { ...every, name: announce, announce })
    const net = `10.${70 + at}.0`
    lans[announce] = await one.save('lan', {
      ...{ name: announce, vlan: 70 + at, address: `${net}.1/24`, poolStart: `${net}.10`, poolEnd: `${net}.90` },
      ...{ portal: portals[announce], assign: { devices: [one.gateway.id], groups: [], all: false } },
    })
  }
})
afterAll(() => one.end())

async function states(): Promise<Record<string, string>> {
  const { data } = await one.owner.post('guests/announced/get', {})
  return Object.fromEntries((data.result as { name: string; state: string }[]).map(row => [row.name, row.state]))
}
async function push(): Promise<void> {
  const { data } = await one.owner.post('devices/push', { deviceIds: [one.gateway.id] })
  for (;;) {
    const answer = await one.owner.post('devices/push/result', { jobId: data.jobId })
    if (answer.data.state !== 'running') {
      expect(answer.data.devices).toEqual([expect.objectContaining({ state: 'applied' })])
      return
    }
    await new Promise(done => setTimeout(done, 20))
  }
}
const waits = async () => {
  const { data } = await one.owner.post('changes/list', {})
  return JSON.stringify(data).includes('"modified":true')
}
const open = () =>
  one.manager.runtime.db
    .select()
    .from(alerts)
    .where(eq(alerts.type, 'portalUntrusted'))
    .all()
    .filter(row => row.recoveredAt === null)
/** Another certificate, which is looked at. */
async function certified(by: Promise<Pair>, days: number, ...names: string[]): Promise<void> {
  await put(one.manager.runtime, by, days, ...names)
  await lookAtAnnounced(one.manager.runtime)
}

test('phones are told after a push, as each portal says; a network without DHCP tells nobody', async () => {
  expect(await states()).toEqual({ 'Guest LAN': 'cannot', known: 'push', issued: 'push', off: 'off' })
  await push()
  expect(await states()).toEqual({ 'Guest LAN': 'cannot', known: 'told', issued: 'told', off: 'off' })
  const { data } = await one.owner.post('guests/announced/get', {})
  expect(data.name).toEqual({ name, ends: expect.any(Number), known: true })
  expect(data.result).toContainEqual({
    ...{ id: lans.known, name: 'known', portal: 'known', state: 'told' },
    url: `https://wifi.house.example:8880/portal/${lans.known}/api`,
  })
})

test('another certificate is no push: what gateways still tell is said, and an alert tells of it until they do not', async () => {
  await certified(known, 90)
  expect(open()).toEqual([])
  expect(await waits()).toBe(false)
  await certified(known, 1)
  expect(open()).toMatchObject([{ device: one.gateway.id, level: 10 }])
  expect(await states()).toEqual({ 'Guest LAN': 'endsSoon', known: 'stale', issued: 'stale', off: 'off' })
  // Like every other change it waits for somebody.
  expect(await waits()).toBe(true)
  await push()
  expect(await states()).toEqual({ 'Guest LAN': 'endsSoon', known: 'endsSoon', issued: 'endsSoon', off: 'off' })
  await certified(known, 90)
  expect(open()).toEqual([])
})

test('with an authority that phones do not know only that portal tells them that was set to', async () => {
  await certified(unknown, 90)
  expect(await states()).toEqual({ 'Guest LAN': 'unknown', known: 'unknown', issued: 'push', off: 'off' })
})

test('another name is another address: the former is told until the next push', async () => {
  await push()
  await certified(known, 90, 'guests.house.example')
  expect(await states()).toEqual({ 'Guest LAN': 'cannot', known: 'push', issued: 'stale', off: 'off' })
})

test('a network with other name servers is told of none, and its row says so', async () => {
  await one.save('lan', {
    ...{ name: 'Servers', vlan: 80, address: '10.80.0.1/24', poolStart: '10.80.0.10', poolEnd: '10.80.0.90' },
    ...{ dns1: '9.9.9.9', portal: portals.known, assign: { devices: [one.gateway.id], groups: [], all: false } },
  })
  expect((await states()).Servers).toBe('names')
})
