import type { Fleet } from '@/server/devices/link/fleet'
import { clientOf, type WorkerClient } from '@/server/devices/link/worker-client'
import { DeviceError } from '@/server/drivers/driver'
import type { DevicePlan, PlanInput } from '@/server/worker/protocol'

/** The worker as the change engine asks it; every call rejects with a DeviceError. `render` is one device's plan. */
export type ChangeTransport = Omit<WorkerClient, 'render'> & { render(input: PlanInput): Promise<DevicePlan> }

type Waiting = { input: PlanInput; done(plan: DevicePlan): void; failed(error: Error): void }

/** Plans that are asked for in one go cross in one message: what they have in common is copied once. */
function renders(ask: Fleet['ask']): (input: PlanInput) => Promise<DevicePlan> {
  let waiting: Waiting[] = []
  const send = async () => {
    const sent = waiting
    waiting = []
    try {
      const made = await ask(
        'render',
        sent.map(one => one.input),
      )
      for (const [at, { done, failed }] of sent.entries()) {
        const one = made[at]
        if (one && 'plan' in one) done(one.plan)
        else failed(new DeviceError(one?.error.reason ?? 'internal', one?.error.detail))
      }
    } catch (error) {
      for (const one of sent) one.failed(error as Error)
    }
  }
  return input =>
    new Promise((done, failed) => {
      if (waiting.length === 0) queueMicrotask(() => void send())
      waiting.push({ input, done, failed })
    })
}

export const changeTransport = ({ ask }: Fleet): ChangeTransport => clientOf(ask, { render: renders(ask) })
