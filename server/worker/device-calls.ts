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
    const left = Math.max(0, (input.endBy ?? Number.POSITIVE_INFINITY) - Date.now())
    return within(Math.min(ms, left), signal => withSession(entry, signal, input, session => work(session, entry)))
  })
}

function unsupported(detail: string): never {
  throw new DeviceError('unsupported', detail)
}

async function act(driver: Driver<unknown>, session: unknown, input: ActionInput): Promise<void> {
  const { reboot, locate, setLogin } = driver.actions
  if (input.name === 'reboot' && reboot) return reboot.call(driver.actions, session)
  if (input.name === 'locate' && locate) return locate.call(driver.actions, session, input.seconds)
  if (input.name === 'setLogin' && setLogin) return setLogin.call(driver.actions, session, input.login)
  unsupported(`no ${input.name}`)
}

// The types of a table's lines are lost when it is walked; `DeviceVerbs` gives them back, from the same table.
const verbs = Object.fromEntries(
  Object.entries(deviceVerbs).map(([name, { again, run }]) => [
    name,
    (worker: WorkerState, input: OnDevice) =>
      onDevice(
        worker,
        { ...input, again },
        quickMs,
        (session, { driver }) => run(driver, session, input as never) as Promise<unknown>,
      ),
  ]),
) as unknown as CallTable<keyof DeviceVerbs>

type Others = 'observeNow' | 'reading' | 'action' | 'foreign' | 'push' | 'relocate'

export const deviceCalls: CallTable<keyof DeviceVerbs | Others> = {
  ...verbs,
  async observeNow(worker, id) {
    await worker.poller.observeNow(id)
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
