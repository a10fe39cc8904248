import type { Runtime } from '@/server/kernel/runtime'
import { migrateNotices } from './migrate-notices'
import { cause, queueAlerts } from './notices'
import { alertDelivery } from './raise'

/** What comes within this time goes in one letter: a site whose switch failed is one mail, not forty. */
const gatherMs = 3_000
/** Letters have no room: alerts wait in the list of alerts. */
const laterMs = 60_000

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
  runtime.closers.push(() => {
    clearTimeout(timer)
    alertDelivery.stop(runtime)
  })
  wake()
}
