import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'
import { lockReader } from '@/server/networks/settings/locks'
import { checkDrift } from './drift/drift'
import { startKeepAtOnce } from './keep-at-once'
import { forgetLists } from './overview/overview'
import { loadKinds } from './plan/desired'
import { newLockReader } from './plan/locks'
import { type Engine, enginePart } from './plan/plan'
import { newSyncCache } from './plan/sync-cache'
import type { ChangeTransport } from './plan/transport'
import { askLost, resumePushes } from './push/batch'

/** Starts the change engine upon a transport to the devices, and takes up what an earlier run left behind. */
export async function startChange(
  runtime: Runtime,
  transport: ChangeTransport,
  confirmSeconds: number = limits.revertWindowSeconds,
): Promise<Engine> {
  const engine: Engine = {
    runtime,
    transport,
    confirmSeconds,
    retryMs: 2000,
    kinds: await loadKinds(),
    syncCache: newSyncCache(),
    drift: new Map(),
    stopping: new AbortController(),
  }
  enginePart.start(runtime, engine)
  lockReader.start(runtime, newLockReader(engine))
  const off = runtime.bus.on(event => {
    const ofAll = event.topic === 'settings' || event.topic === 'networks' || (event.topic === 'devices' && !event.each)
    if (ofAll) engine.syncCache.changed()
    if (ofAll || event.topic === 'push') forgetLists(engine)
    if (event.topic === 'device') engine.syncCache.changed(Number(event.id))
  })
  runtime.jobs.start({ id: 'drift', every: 120_000, run: () => checkDrift(engine) })
  runtime.jobs.start({ id: 'push-lost', every: 60_000, run: () => askLost(engine) })
  const offAtOnce = startKeepAtOnce(engine)
  runtime.closers.push(() => {
    off()
    offAtOnce()
    engine.stopping.abort()
  })
  resumePushes(engine)
  return engine
}
