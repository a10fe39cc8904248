import { networkInterfaces } from 'node:os'
import type { Wiring } from '@/server/topology/graph'
import { originOf } from '@/server/topology/origin'
import { type Sight, sightOf } from '@/server/topology/sight'
import { topologySteps } from '@/server/topology/topology'
import { type PolledDevice, readingOf } from './polled-device'
import type { WorkerState } from './worker-state'

// How a network is wired, put together beside the polls of the last readings.

/** So long an answer holds; putting it together takes seconds where there are hundreds of switches. */
const freshMs = { least: 5_000, share: 0.05 }
const readingsAStep = 20

const held = new WeakMap<WorkerState, Map<number, { until: number; answer: Promise<Wiring> }>>()

const ownMacs = () =>
  Object.values(networkInterfaces()).flatMap(list => (list ?? []).filter(one => !one.internal).map(({ mac }) => mac))

const pause = () => new Promise<void>(go => setImmediate(go))

async function sightsOf(entries: readonly PolledDevice[]): Promise<Sight[]> {
  const found: Sight[] = []
  for (const [at, entry] of entries.entries()) {
    const { id, kind, name, target } = entry.device
    const reading = readingOf(entry)
    if (reading) found.push(sightOf({ id, kind, name, address: target.address }, reading))
    if (at % readingsAStep === readingsAStep - 1) await pause()
  }
  return found
}

async function build(worker: WorkerState, network: number): Promise<Wiring> {
  const entries = [...worker.poller.entries.values()].filter(entry => entry.device.network === network)
  const sights = await sightsOf(entries)
  const steps = topologySteps(sights)
  for (;;) {
    const { done, value } = steps.next()
    if (done) {
      const origin = originOf(sights, value, ownMacs())
      return { ...value, ...(origin !== undefined && { origin }) }
    }
    await pause()
  }
}

/** A network's wiring, at most some seconds old; who asks while it is put together gets the same. */
export function wiringOf(worker: WorkerState, network: number): Promise<Wiring> {
  const answers = held.get(worker) ?? new Map()
  held.set(worker, answers)
  const began = Date.now()
  const last = answers.get(network)
  if (last && began < last.until) return last.answer
  const kept = { until: Number.POSITIVE_INFINITY, answer: build(worker, network) }
  answers.set(network, kept)
  const end = () => {
    kept.until = Date.now() + Math.max(freshMs.least, (Date.now() - began) / freshMs.share)
  }
  kept.answer.then(end, () => answers.delete(network))
  return kept.answer
}
