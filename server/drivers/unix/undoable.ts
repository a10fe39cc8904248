import { randomUUID } from 'node:crypto'
import type { Driver, Pending, PushEvents } from '../driver'
import type { ExecResult } from '../ssh/ssh'
import {
  applyScript,
  armScript,
  confirmScript,
  judge,
  revertScript,
  snapshotScript,
  stateScript,
  type UndoPlan,
} from './undo'

type System<S> = {
  driver: Driver<S>['id']
  /** Runs a POSIX shell script from standard input with the rights that a change needs; gives up after `timeoutMs`. */
  script(session: S, text: string, timeoutMs?: number): Promise<ExecResult>
  /** How long the change itself may stay without an answer; absent: as long as any script. */
  applyMs?: number
  /** Shell that removes the timer and the boot hook. */
  disarm: string
}

/** The proof asks so many questions one after the other; what a usual link needs for them the window has already. */
const questions = 80
const usualSeconds = 0.5
const mostSeconds = 600

/** So much longer than usual the proof takes over a link on which one question takes `ms`. */
export const slowLinkSeconds = (ms: number): number =>
  Math.min(mostSeconds, Math.round(Math.max(0, ms / 1000 - usualSeconds) * questions))

/** The four verbs of a push over SSH, the same for every Unix. */
export function undoable<S>({ driver, script, disarm, applyMs }: System<S>) {
  const run = async (session: S, text: string, timeoutMs?: number) => judge(await script(session, text, timeoutMs))
  return {
    /**
     * Each step is a round trip of its own, so that a lost link is known by the step it was lost in. The first does
     * nothing but tell how long one takes: a slow link is given a longer window.
     */
    async push(
      session: S,
      confirmSeconds: number,
      planOf: (id: string, confirmSeconds: number) => UndoPlan,
      events: PushEvents,
    ): Promise<Pending> {
      const asked = Date.now()
      await run(session, ':')
      const id = randomUUID()
      const window = confirmSeconds + slowLinkSeconds(Date.now() - asked)
      const plan = planOf(id, window)
      const { files, leaves } = plan
      const pending: Pending = { id, armedAt: Date.now(), confirmSeconds: window, driver, data: { files, leaves } }
      await events.pending(pending)
      events.step('snapshot')
      await run(session, snapshotScript(plan))
      events.step('timer')
      await run(session, armScript(plan))
      events.step('apply')
      await run(session, applyScript(plan), applyMs)
      return pending
    },
    confirm: async (session: S, pending: Pending): Promise<void> => {
      await run(session, confirmScript(pending.id, disarm, pending.data.leaves === true))
    },
    revert: async (session: S, pending: Pending): Promise<void> => {
      await run(session, revertScript(pending.id))
    },
    state: async (session: S, pending: Pending) => {
      const said = (await run(session, stateScript(pending.id))).stdout.trim()
      return said === 'waiting' || said === 'confirmed' || said === 'reverted' ? said : 'unknown'
    },
  }
}
