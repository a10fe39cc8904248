import { type SpeedFigures, type SpeedPhase, type SpeedServer, speedTestLimits } from '@/model/dashboard/speed-test'
import { fleetOf } from '@/server/devices/link/fleet'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type Task, type TaskRecord, taskKind } from '@/server/kernel/task'
import { type Failure, failureOf } from './diagnoses'

/** How fast the internet was, seen from a place. */
export type SpeedTested = {
  server: SpeedServer
  /** Where from, with its name of then; null: this machine. */
  device: { id: number; name: string } | null
  /** Who asked for it. */
  by: string
  /** What is measured now; the last that was, of a test that ended. */
  phase: SpeedPhase
  figures: SpeedFigures
  /** `cutOff`: the manager ended meanwhile. */
  failure?: Failure | { reason: 'cutOff'; detail: string }
}
export type SpeedTest = SpeedTested & Pick<TaskRecord<unknown>, 'id' | 'state' | 'createdAt' | 'endedAt'>

const speedTests = taskKind<SpeedTested>({
  ...{ type: 'speedTest', topic: 'speedTests', keptOfNetwork: speedTestLimits.kept },
})
/** Those that run, by their networks: two at once would measure each other. */
const running = part('speedTests', () => new Map<number, Task<SpeedTested>>())

const shownOf = ({ id, state, createdAt, endedAt, progress }: TaskRecord<SpeedTested>): SpeedTest => ({
  ...{ id, state, createdAt, endedAt },
  ...progress,
})

async function measure(runtime: Runtime, task: Task<SpeedTested>): Promise<void> {
  const { progress } = task
  const { server, device } = progress
  const input = { stopBy: task.id, server, ...(device && { device: device.id }) }
  try {
    progress.figures = await fleetOf(runtime).ask('measureSpeed', input, ({ phase, figures }) => {
      Object.assign(progress, { phase, figures })
      task.tell()
    })
  } catch (error) {
    if (task.state !== 'running') return
    progress.failure = failureOf(error)
    task.state = 'failed'
  }
}

/** Undefined: one runs in this network. */
export function startSpeedTest(
  runtime: Runtime,
  place: { network: number; organization: number },
  about: Pick<SpeedTested, 'server' | 'device' | 'by'>,
): string | undefined {
  const current = running.of(runtime)
  if (current.has(place.network)) return undefined
  const task = speedTests.add(runtime, { ...place, progress: { ...about, phase: 'latency', figures: {} } })
  current.set(place.network, task)
  void task.run(() => measure(runtime, task)).finally(() => current.delete(place.network))
  return task.id
}

/** Undefined where the network has none of this number. */
export function speedTestOf(runtime: Runtime, network: number, id: string): SpeedTest | undefined {
  const found = speedTests.find(runtime, id)
  return found?.network === network ? shownOf(found) : undefined
}

/** All that are kept of a network, newest first. */
export const speedTestsOf = (runtime: Runtime, network: number): SpeedTest[] =>
  speedTests.all(runtime, network).map(shownOf)

/** Ends it, where it runs, too; false where there is none that runs. */
export async function stopSpeedTest(runtime: Runtime, network: number, id: string): Promise<boolean> {
  const task = running.of(runtime).get(network)
  if (task?.id !== id || task.state !== 'running') return false
  task.cancel()
  task.tell()
  await fleetOf(runtime).ask('stopSearch', id)
  return true
}

export const deleteSpeedTests = (runtime: Runtime, network: number, ids: readonly string[]): void =>
  speedTests.drop(runtime, network, ids)

/** What the manager's end cut off has failed, and says so; what a network's former owner measured goes with them. */
export function startSpeedTests(runtime: Runtime): void {
  speedTests.takeUp(runtime, async task => {
    task.progress.failure = { reason: 'cutOff', detail: '' }
    task.state = 'failed'
  })
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic !== 'networkMoved' || network === undefined) return
    running.of(runtime).get(network)?.cancel()
    speedTests.forget(runtime, network)
  })
  runtime.closers.push(off)
}
