import type { Runtime } from '@/server/kernel/runtime'
import { tellDue, waitingNetworks } from '@/server/notify/alerts/tell'
import { regroup } from './group'
import { learnable, learnParents } from './learn'
import { watchLevels } from './levels'
import { restorePower } from './power'

/** `learnMs`: how often the wiring is looked at; `gatherMs`: what fails together is put together once; `tellMs`: how exact the time of telling is; `powerMs`: how exact the time is at which a port has its power back. */
const usual = { learnMs: 300_000, firstMs: 45_000, gatherMs: 500, tellMs: 2_000, levelMs: 30_000, powerMs: 1_000 }

async function learnAll(runtime: Runtime): Promise<void> {
  for (const network of learnable(runtime))
    await learnParents(runtime, network).catch(error => console.error(`wiring of network ${network}:`, error))
}

function regroupAndSay(runtime: Runtime, network: number): void {
  if (regroup(runtime, network)) runtime.bus.emit({ topic: 'alerts', network })
}

/** Learns through whom devices are reached, makes one incident of what has one cause, and tells of it when its time has come. */
export function startIncidents(runtime: Runtime, times: Partial<typeof usual> = {}): void {
  const { learnMs, firstMs, gatherMs, tellMs, levelMs, powerMs } = { ...usual, ...times }
  const fresh = new Set<number>()
  let gathering: NodeJS.Timeout | undefined
  const gather = () => {
    gathering = undefined
    const networks = [...fresh]
    fresh.clear()
    for (const network of networks) regroupAndSay(runtime, network)
  }
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic !== 'alerts' || network === undefined) return
    fresh.add(network)
    gathering ??= setTimeout(gather, gatherMs).unref()
  })
  const first = setTimeout(() => void learnAll(runtime), firstMs).unref()
  runtime.jobs.start({ id: 'wiring', every: learnMs, run: learnAll })
  runtime.jobs.start({
    id: 'tellAlerts',
    every: tellMs,
    run() {
      for (const network of waitingNetworks(runtime)) regroupAndSay(runtime, network)
      tellDue(runtime)
    },
  })
  runtime.jobs.start({ id: 'alertLevels', every: levelMs, run: one => watchLevels(one) })
  runtime.jobs.start({ id: 'restorePower', every: powerMs, run: one => restorePower(one) })
  runtime.closers.push(() => {
    off()
    clearTimeout(gathering)
    clearTimeout(first)
  })
}
