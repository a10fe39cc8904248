// Of which LANs phones are told by DHCP, and why not: by the certificate, the portal, and what gateways were given.
import { eq } from 'drizzle-orm'
import { alerts } from '@/db/schema'
import type { PortalFields } from '@/model/profiles/portal'
import { type PortalName, portalNames } from '@/server/devices/change/portal-name'
import { startChange } from '@/server/devices/change/start'
import { renderAll } from '@/server/drivers/assess'
import { lanRenderer } from '@/server/drivers/linux/lan'
import { lookAtAnnounced } from '@/server/guests/portal/announced-watch'
import { type ScriptedDevice, scriptedDevice, scriptedTransport } from '../_device'
import { every, type House, house } from './_house'

const ends = Date.now() + 90 * 86_400_000
const trusted: PortalName = { name: 'wifi.house.example', ends, known: true }
let named: PortalName
const scripted = new Map<number, ScriptedDevice>()

/** Devices whose plans are made by the renderer of Linux gateways. */
const transport = {
  ...scriptedTransport(scripted),
  render: async ({
    documents,
    portal,
    windowSeconds,
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
      windowSeconds,
      ...(gate && { gate }),
    })
    const rest = { unfit: [], carries: [], former: [], unsettled: false, slowSeconds: 0, reverts: 'device' as const }
    return { blocks, warnings, facts, ...rest }
  },
}

let one: House
const lans: Record<string, string> = {}
const portals: Partial<Record<PortalFields['announce'], string>> = {}

beforeAll(async () => {
  named = trusted
  one = await house(every, [
    runtime => portalNames.start(runtime, { at: () => named }),
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
async function certified(next: PortalName): Promise<void> {
  named = next
  await lookAtAnnounced(one.manager.runtime)
}

test('phones are told after a push, as each portal says; a network without DHCP tells nobody', async () => {
  expect(await states()).toEqual({ 'Guest LAN': 'cannot', known: 'push', issued: 'push', off: 'off' })
  await push()
  expect(await states()).toEqual({ 'Guest LAN': 'cannot', known: 'told', issued: 'told', off: 'off' })
  const { data } = await one.owner.post('guests/announced/get', {})
  expect(data.name).toEqual(trusted)
  expect(data.result).toContainEqual({
    ...{ id: lans.known, name: 'known', portal: 'known', state: 'told' },
    url: `https://wifi.house.example:8880/portal/${lans.known}/api`,
  })
})

test('another certificate is no push: what gateways still tell is said, and an alert tells of it until they do not', async () => {
  await certified(trusted)
  expect(open()).toEqual([])
  expect(await waits()).toBe(false)
  await certified({ why: 'endsSoon', ends: Date.now() + 86_400_000 })
  expect(open()).toMatchObject([{ device: one.gateway.id, level: 10 }])
  expect(await states()).toEqual({ 'Guest LAN': 'endsSoon', known: 'stale', issued: 'stale', off: 'off' })
  // Like every other change it waits for somebody.
  expect(await waits()).toBe(true)
  await push()
  expect(await states()).toEqual({ 'Guest LAN': 'endsSoon', known: 'endsSoon', issued: 'endsSoon', off: 'off' })
  await certified(trusted)
  expect(open()).toEqual([])
})

test('with an authority that phones do not know only that portal tells them that was set to', async () => {
  await certified({ name: 'wifi.house.example', ends, known: false })
  expect(await states()).toEqual({ 'Guest LAN': 'unknown', known: 'unknown', issued: 'push', off: 'off' })
})

test('another name is another address: the former is told until the next push', async () => {
  await push()
  await certified({ name: 'guests.house.example', ends, known: true })
  expect(await states()).toEqual({ 'Guest LAN': 'cannot', known: 'push', issued: 'stale', off: 'off' })
})

test('a network with other name servers is told of none, and its row says so', async () => {
  await one.save('lan', {
    ...{ name: 'Servers', vlan: 80, address: '10.80.0.1/24', poolStart: '10.80.0.10', poolEnd: '10.80.0.90' },
    ...{ dns1: '9.9.9.9', portal: portals.known, assign: { devices: [one.gateway.id], groups: [], all: false } },
  })
  expect((await states()).Servers).toBe('names')
})
