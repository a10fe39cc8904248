import type { Driver } from '@/server/drivers/driver'
import { readingFor } from './device-reading'
import { deviceVerbs, type OnDevice, type Turn, type Verb } from './device-verbs'
import { within } from './limits'
import { countNetworks } from './network-counts'
import { closeSession, enqueue, type PolledDevice, readingOf, withSession } from './polled-device'
import type { DeviceReading } from './protocol'
import type { CallTable, Progress, WorkerState } from './worker-state'

// What is asked of one device: in its queue, behind what runs, with its session.

type AnyVerb = Verb<OnDevice, unknown, unknown>
type Work = (driver: Driver<unknown>, session: unknown) => Promise<unknown>

/** A verb in its turn, ended after its time or at `endBy`. */
function inTurn(entry: PolledDevice, { ms, again }: AnyVerb, input: OnDevice, work: Work): Promise<unknown> {
  return enqueue(entry, () => {
    const left = input.endBy === undefined ? undefined : Math.max(0, input.endBy - Date.now())
    // Whoever has longer has it for a slow link: two tries of it are enough.
    const most = left === undefined ? ms : Math.min(left, Math.max(ms, left / 2))
    const way = { ...input, again }
    return within(most, signal => withSession(entry, signal, way, session => work(entry.driver, session)))
  })
}

/** Over a connection of its own, that nobody else waits for. */
const beside = ({ driver, device }: PolledDevice, ms: number, work: Work): Promise<unknown> =>
  within(ms, async signal => {
    const session = await driver.connect(device.target, signal)
    const close = () => driver.close(session)
    if (signal.aborted) close()
    signal.addEventListener('abort', close, { once: true })
    return work(driver, session).finally(() => {
      signal.removeEventListener('abort', close)
      close()
    })
  })

/**
 * A verb on a device. One that waits for nobody is done again in its turn, since what was asked before may undo it; the first
 * that succeeds answers.
 */
function onDevice({ poller }: WorkerState, verb: AnyVerb, input: OnDevice, progress: Progress<unknown>) {
  const entry = poller.get(input.id)
  const turn: Turn<unknown> = { facts: () => readingOf(entry)?.facts, progress }
  const work: Work = (driver, session) => verb.run(driver, session, input, turn)
  const isBusy = entry.pending > 0
  const later = inTurn(entry, verb, input, work)
  if (verb.besideMs === undefined || !isBusy) return later
  return Promise.any([beside(entry, verb.besideMs, work), later]).catch(() => later)
}

type Verbs = typeof deviceVerbs
/** The verbs as calls: the types of a table's lines are lost when it is walked, and come back from the table. */
type VerbCalls = {
  [K in keyof Verbs]: Verbs[K] extends Verb<infer I, infer O, infer P>
    ? (worker: WorkerState, input: I, progress: Progress<P>) => Promise<O>
    : never
}
const verbs = Object.fromEntries(
  Object.entries(deviceVerbs).map(([name, verb]) => [
    name,
    (worker: WorkerState, input: OnDevice, progress: Progress<unknown>) =>
      onDevice(worker, verb as unknown as AnyVerb, input, progress),
  ]),
) as unknown as VerbCalls

export const deviceCalls = {
  ...verbs,
  async observeNow(worker, id: number) {
    await worker.poller.observeNow(id)
    worker.clients.renew(worker.poller.get(id).device.network)
    countNetworks(worker, Date.now())
    return readingFor(worker.poller.get(id))
  },
  /** The same of a device that says something changed there, whether or not it is there. */
  look: ({ poller }, id: number) => poller.look(id),
  reading({ poller }, id: number): DeviceReading | undefined {
    const entry = poller.entries.get(id)
    return entry && readingFor(entry)
  },
  /** From now on it is reached at this address, until its row says another. */
  relocate({ poller }, { id, address }: { id: number; address: string }) {
    const entry = poller.get(id)
    // Behind what runs: a session is not closed under it.
    return enqueue(entry, async () => {
      if (entry.device.target.address === address) return
      closeSession(entry)
      entry.device = { ...entry.device, target: { ...entry.device.target, address } }
    })
  },
} satisfies CallTable
