import type { Runtime } from '@/server/kernel/runtime'
import { migrateNotices } from './migrate-notices'
import { cause, queueAlerts } from './notices'
import { alertDelivery } from './tell'

/** What comes within this time goes in one letter: a site whose switch failed is one mail, not forty. */
const gatherMs = 3_000
/** Letters have no room: alerts wait in the list of alerts. */
const laterMs = 60_000
const digestMs = 30_000

/** Gathers new alerts and hands them to the queue of letters, first of all those that the manager's end left behind. */
export function startAlerts(runtime: Runtime, waitMs = gatherMs): void {
  migrateNotices(runtime)
  let timer: NodeJS.Timeout | undefined
  const gather = (): void => {
    timer = undefined
    try {
      if (!queueAlerts(runtime)) gatherIn(laterMs)
    } catch (error) {
      console.error('alerts:', cause(runtime, error))
      gatherIn(laterMs)
    }
  }
  const gatherIn = (ms: number): void => {
    timer = setTimeout(gather, ms)
    timer.unref()
  }
  const wake = (): void => {
    if (!timer) gatherIn(waitMs)
  }
  alertDelivery.start(runtime, { wake })
  // What was held in quiet hours has nobody else to wake for it.
  runtime.jobs.start({ id: 'noticeDigests', every: digestMs, run: wake })
  runtime.closers.push(() => {
    clearTimeout(timer)
    alertDelivery.stop(runtime)
  })
  wake()
}
