import { countNetworks } from '@/server/worker/network-counts'
import { device, entryWith, newLedger } from './_entry'

const at = 1_800_000_000_000
const bucket = Math.floor(at / 300_000) * 300

function setUp() {
  const { sinks } = newLedger()
  const switches = [entryWith({ status: 1 }), entryWith({ status: 1 })].map((entry, index) => {
    entry.device = device(index + 1, { network: index + 1 })
    return entry
  })
  const entries = new Map(switches.map(entry => [entry.device.id, entry]))
  const hosts = ['02:00:00:00:00:0a', '02:00:00:00:00:0b'].map(mac => ({ mac, port: '1', source: 'fdb' as const }))
  sinks.clients.update(device(1, { network: 1 }), { takenAt: at, depth: 'full', hosts })
  return { ...sinks, poller: { entries } }
}

test('each device has its own network’s clients; one that was never read has no count, not zero', () => {
  const worker = setUp()
  countNetworks(worker, at)
  expect(worker.live.row(1)).toEqual({ clients: 2, countedAt: at })
  expect(worker.live.row(2)).toEqual({})
})

test('a network’s chart gets a sample only when one is due', () => {
  const worker = setUp()
  const samples = () => [1, 2].map(network => worker.history.sums(0, bucket, { of: 'network', id: network }, false))
  countNetworks(worker, at)
  expect(samples()).toEqual([undefined, undefined])
  countNetworks(worker, at, 60_000)
  expect(samples()).toMatchObject([
    { polls: 1, answered: 1, clients: 2, clientReadings: 1 },
    { polls: 1, answered: 1, clientReadings: 0 },
  ])
})

test('a sample’s rates hold for as long as one poll lasts', () => {
  const worker = setUp()
  for (const entry of worker.poller.entries.values())
    Object.assign(entry, { traffic: [0], counters: { ...entry.counters, rates: Float64Array.of(8000, 16_000) } })
  countNetworks(worker, at, 30_000)
  expect(worker.history.sums(0, bucket, { of: 'network', id: 1 }, false)).toMatchObject({
    seconds: 30,
    inOctets: 30_000,
    outOctets: 60_000,
  })
})
