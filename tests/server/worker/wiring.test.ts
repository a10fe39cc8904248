import type { Observation } from '@/server/drivers/observation'
import { keepFull } from '@/server/worker/polled-device'
import { wiringOf } from '@/server/worker/wiring'
import type { WorkerState } from '@/server/worker/worker-state'
import { device, entryWith } from './_entry'

const at = 5000
const [first, second] = ['02:00:00:00:01:01', '02:00:00:00:02:01']

/** A switch whose LAG of two ports leads to the other one, as its readings tell. */
const seen = (own: string, other: string): Observation => ({
  takenAt: at,
  depth: 'full',
  facts: { kind: 'switch', capabilities: [], mac: own.toUpperCase() },
  interfaces: [
    { key: '1', name: 'p1', type: 'ethernet', master: 'lag1', speed: 1e9, up: true },
    { key: '2', name: 'p2', type: 'ethernet', master: 'lag1', speed: 1e9, up: true },
    { key: '9', name: 'lag1', type: 'lag', speed: 2e9, up: true },
  ],
  hosts: [
    { mac: other, port: '9', source: 'fdb' },
    { mac: '02:00:00:00:09:09', address: '10.0.0.9', source: 'arp' },
  ],
  neighbours: [{ localPort: '1', chassisId: other, portId: 'p1' }],
})

const worker = (readings: readonly (Observation | undefined)[]) => {
  const entries = readings.map((reading, index) => {
    const entry = entryWith({ device: device(index + 1) })
    if (reading) keepFull(entry, reading)
    return [index + 1, entry] as const
  })
  return { poller: { entries: new Map(entries) } } as unknown as WorkerState
}

test('readings of two switches are one link between their LAGs, with speed and the time of the reading', async () => {
  const found = await wiringOf(worker([seen(first, second), seen(second, first), undefined]), 1)
  expect(found.links).toHaveLength(1)
  expect(found.links[0]).toMatchObject({
    upper: { port: 'lag1', speed: 2e9, up: true },
    lower: { port: 'lag1', speed: 2e9, up: true },
    certainty: 'certain',
  })
  expect(found.links[0]?.evidence).toContainEqual({ kind: 'lldp', device: 1, at })
})

test('another network’s devices are not in it, and who asks again soon gets the same', async () => {
  const state = worker([seen(first, second)])
  expect(await wiringOf(state, 2)).toEqual({ nodes: [], links: [], uplinks: {} })
  expect(await wiringOf(state, 1)).toBe(await wiringOf(state, 1))
})
