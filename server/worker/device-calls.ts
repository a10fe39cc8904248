import { sayable } from '@/server/drivers/assess'
import { DeviceError, type Driver } from '@/server/drivers/driver'
import { readingFor } from './device-reading'
import { type DeviceVerbs, deviceVerbs, type OnDevice } from './device-verbs'
import { within } from './limits'
import { countNetworks } from './network-counts'
import { closeSession, enqueue, type PolledDevice, readingOf, withSession } from './polled-device'
import type { ActionInput } from './protocol'
import type { CallTable, WorkerState } from './worker-state'

// What is asked of one device: in its queue, behind what runs, with its session.

const quickMs = 60_000
const urgentMs = 15_000
/** A push uploads, applies and restarts services. */
const pushMs = 180_000

type Asked = { id: number; fresh?: boolean; again?: boolean; endBy?: number }

/** Work on a device with its session, in its queue, ended after `ms` or at `endBy`. */
function onDevice<T>(
  { poller }: WorkerState,
  input: Asked,
  ms: number,
  work: (session: unknown, entry: PolledDevice) => Promise<T>,
): Promise<T> {
  const entry = poller.get(input.id)
  return enqueue(entry, () => {
    const left = input.endBy === undefined ? undefined : Math.max(0, input.endBy - Date.now())
    // Whoever has longer has it for a slow link: two tries of it are enough.
    const most = left === undefined ? ms : Math.min(left, Math.max(ms, left / 2))
    return within(most, signal => withSession(entry, signal, input, session => work(session, entry)))
  })
}

/**
 * Work that waits for nobody: while the device is busy it goes over a connection of its own. In its turn it is done again,
 * since what was asked before may undo it; the first that succeeds answers.
 */
async function urgently<T>(
  worker: WorkerState,
  input: Asked,
  work: (session: unknown, driver: Driver<unknown>) => Promise<T>,
): Promise<T> {
  const entry = worker.poller.get(input.id)
  const isBusy = entry.pending > 0
  const inTurn = onDevice(worker, input, quickMs, (session, { driver }) => work(session, driver))
  if (!isBusy) return inTurn
  const { driver, device } = entry
  const beside = within(urgentMs, async signal => {
    const session = await driver.connect(device.target, signal)
    const close = () => driver.close(session)
    if (signal.aborted) close()
    signal.addEventListener('abort', close, { once: true })
    return work(session, driver).finally(() => {
      signal.removeEventListener('abort', close)
      close()
    })
  })
  return Promise.any([beside, inTurn]).catch(() => inTurn)
}

function unsupported(detail: string): never {
  throw new DeviceError('unsupported', detail)
}

async function act(driver: Driver<unknown>, session: unknown, input: ActionInput): Promise<void> {
  const { reboot, locate, setLogin, releaseLease } = driver.actions
  if (input.name === 'reboot' && reboot) return reboot.call(driver.actions, session)
  if (input.name === 'locate' && locate) return locate.call(driver.actions, session, input.seconds)
  if (input.name === 'setLogin' && setLogin) return setLogin.call(driver.actions, session, input.login)
  if (input.name === 'releaseLease' && releaseLease) return releaseLease.call(driver.actions, session, input.lease)
  unsupported(`no ${input.name}`)
}

// The types of a table's lines are lost when it is walked; `DeviceVerbs` gives them back, from the same table.
const verbs = Object.fromEntries(
  Object.entries(deviceVerbs).map(([name, { again, urgent, run }]) => {
    const work = (driver: Driver<unknown>, session: unknown, input: OnDevice) =>
      run(driver, session, input as never) as Promise<unknown>
    return [
      name,
      (worker: WorkerState, input: OnDevice) =>
        urgent
          ? urgently(worker, { ...input, again }, (session, driver) => work(driver, session, input))
          : onDevice(worker, { ...input, again }, quickMs, (session, { driver }) => work(driver, session, input)),
    ]
  }),
) as unknown as CallTable<keyof DeviceVerbs>

type Others = 'observeNow' | 'reading' | 'action' | 'foreign' | 'push' | 'relocate'

export const deviceCalls: CallTable<keyof DeviceVerbs | Others> = {
  ...verbs,
  async observeNow(worker, id) {
    await worker.poller.observeNow(id)
    worker.clients.renew(worker.poller.get(id).device.network)
    countNetworks(worker, Date.now())
    return readingFor(worker.poller.get(id))
  },
  reading({ poller }, id) {
    const entry = poller.entries.get(id)
    return entry && readingFor(entry)
  },
  action: (worker, input) => onDevice(worker, input, quickMs, (session, { driver }) => act(driver, session, input)),
  foreign: (worker, input) =>
    onDevice(worker, { ...input, again: true }, quickMs, async (session, entry) => {
      const { ownership, renderers } = entry.driver
      if (!ownership) return unsupported('nothing to take over')
      return sayable(await ownership.list(session, input.taken), renderers, readingOf(entry)?.facts)
    }),
  push: (worker, input, progress) =>
    onDevice(worker, input, pushMs, (session, { driver }) =>
      driver.push(session, input.before, input.next, input.windowSeconds, {
        pending: pending => progress({ pending }),
        step: step => void progress({ step }),
      }),
    ),
  relocate({ poller }, { id, address }) {
    const entry = poller.get(id)
    // Behind what runs: a session is not closed under it.
    return enqueue(entry, async () => {
      if (entry.device.target.address === address) return
      closeSession(entry)
      entry.device = { ...entry.device, target: { ...entry.device.target, address } }
    })
  },
}
