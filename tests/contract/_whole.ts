import { startAlerts } from '@/server/alerts/delivery'
import { alertPausedWebhook } from '@/server/alerts/webhook-paused'
import { startChange } from '@/server/change/start'
import { fleetOf } from '@/server/fleet/fleet'
import { changeTransport } from '@/server/fleet/transport'
import { startWebhooks } from '@/server/webhooks/start'
import { fleetInProcess } from '../server/_fleet'
import { type Manager, startTestManager } from '../server/_manager'

/** A manager of which every call can be tried: with alerts, devices and pushes. */
export const startWholeManager = (): Promise<Manager> =>
  startTestManager({
    starters: [
      runtime => startAlerts(runtime),
      runtime => startWebhooks(runtime, alertPausedWebhook),
      fleetInProcess(),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)))
      },
    ],
  })
