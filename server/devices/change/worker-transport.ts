import type { Fleet } from '@/server/devices/link/fleet'
import { DeviceError } from '@/server/drivers/driver'
import type { DevicePlan, PlanInput } from '@/server/worker/protocol'
import type { ChangeTransport } from './transport'

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

/** The worker, as the change engine asks it. */
export function changeTransport({ ask }: Fleet): ChangeTransport {
  const render = renders(ask)
  return {
    async observe(id) {
      await ask('observeNow', id)
    },
    render: (id, plan) => render({ id, ...plan }),
    foreign: (id, taken) => ask('foreign', { id, taken }),
    propose: (id, plan, chosen, all) => ask('propose', { id, ...plan, chosen, all }),
    assess: (id, before, next) => ask('assess', { id, before, next }),
    adopt: (id, plan, seen) => ask('adopt', { id, ...plan, seen }),
    uplinks: network => ask('uplinks', network),
    equal: (driver, pairs) => ask('equal', { driver, pairs }),
    facts: (id, way) => ask('facts', { id, ...way }),
    read: (id, way, taken) => ask('read', { id, ...way, taken }),
    push: (id, before, next, windowSeconds, events) =>
      ask('push', { id, before, next, windowSeconds }, async progress => {
        if ('pending' in progress) await events.pending(progress.pending)
        else events.step(progress.step)
      }),
    relocate: (id, address) => ask('relocate', { id, address }),
    confirm: (id, pending) => ask('confirm', { id, pending }),
    revert: (id, pending) => ask('revert', { id, pending }),
    state: (id, pending) => ask('state', { id, pending }),
    verify: (id, next, endBy) => ask('verify', { id, next, endBy }),
  }
}
