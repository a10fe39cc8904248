import { isHost } from '@/server/accounts/actor'
import type { Runtime } from '@/server/kernel/runtime'
import { setSetting } from '@/server/kernel/settings'
import { cause, gatherMs, moveMailServer, type Outgoing, readNotice, retryMs, send } from './notices'
import type { AlertListener } from './raise'

type Times = { gatherMs: number; retryMs: readonly number[] }

/** Gathers new alerts, sends them by the way that was chosen, and tries again while that fails. */
export function startAlerts(runtime: Runtime, times: Times = { gatherMs, retryMs }): void {
  moveMailServer(runtime)
  let waiting: Outgoing[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const later = (ms: number, work: () => void) => {
    timer = setTimeout(work, ms)
    timer.unref()
  }
  const deliver = async (attempt: number): Promise<void> => {
    timer = undefined
    const notice = readNotice(runtime)
    const alerts = waiting.filter(alert => alert.level <= notice.level)
    if (notice.mode === 'off' || !alerts.length) {
      waiting = []
      return
    }
    const taken = waiting.length
    try {
      await send(runtime, notice, alerts)
    } catch (error) {
      return failed(attempt, taken, cause(runtime, error, notice))
    }
    // The manager ended meanwhile: nothing is written any more.
    if (stopped) return
    waiting = waiting.slice(taken)
    setSetting(runtime.db, 'notices', { last: { at: Date.now(), ok: true, error: '', waiting: waiting.length } })
    again()
  }
  const again = () => {
    if (waiting.length && !stopped) later(times.gatherMs, () => void deliver(0))
  }
  const failed = (attempt: number, taken: number, error: string) => {
    if (stopped) return
    console.error('alert delivery:', error)
    const next = times.retryMs[attempt]
    // Given up: they stand in the list of alerts all the same.
    if (next === undefined) waiting = waiting.slice(taken)
    setSetting(runtime.db, 'notices', { last: { at: Date.now(), ok: false, error, waiting: waiting.length } })
    if (next === undefined) again()
    else later(next, () => void deliver(attempt + 1))
  }
  const listener: AlertListener = alert => {
    // Where they are sent is set by the manager's own people: other companies' are none of theirs.
    if (!isHost(runtime.db, alert.organization)) return
    waiting.push({ ...alert, at: alert.at ?? Date.now() })
    if (!timer && !stopped) later(times.gatherMs, () => void deliver(0))
  }
  runtime.parts.set('alertDelivery', listener)
  runtime.closers.push(() => {
    stopped = true
    clearTimeout(timer)
  })
}
