import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import type { Spawn } from '@/server/devices/link/fleet'
import { fleetOf } from '@/server/devices/link/fleet'
import { startFeedback } from '@/server/manager/feedback/deliver'
import { startAlerts } from '@/server/notify/alerts/delivery'
import { webhookAlerts } from '@/server/notify/alerts/webhook-paused'
import { startWebhooks } from '@/server/notify/webhooks/start'
import { fleetInProcess } from '../server/_fleet'
import { type Manager, startTestManager } from '../server/_manager'

/** A manager of which every call can be tried: with alerts, devices and pushes. `spawn`: its worker. */
export const startWholeManager = (spawn?: Spawn): Promise<Manager> =>
  startTestManager({
    starters: [
      runtime => startAlerts(runtime),
      runtime => startWebhooks(runtime, webhookAlerts),
      startFeedback,
      fleetInProcess({}, spawn),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)))
      },
    ],
  })
