import { startAdoptions } from '@/server/devices/adoption/adoption-job'
import { startDiscoveries } from '@/server/devices/adoption/discovery'
import { startChange } from '@/server/devices/change/start'
import { changeTransport } from '@/server/devices/change/transport'
import { fleetOf, startFleet } from '@/server/devices/link/fleet'
import { guardLog } from '@/server/kernel/log-lines'
import { moveFormer } from '@/server/kernel/own-settings'
import { keepRecentLines, recentLines } from '@/server/kernel/recent-lines'
import { type Runtime, startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { startMail } from '@/server/mail/start'
import { startBackups } from '@/server/manager/backups/schedule'
import { startSyslog } from '@/server/manager/changelog/syslog'
import { startCommandSocket } from '@/server/manager/command/socket'
import { startFeedback } from '@/server/manager/feedback/deliver'
import { startAlerts } from '@/server/notify/alerts/delivery'
import { alertPausedWebhook } from '@/server/notify/alerts/webhook-paused'
import { startWebhooks } from '@/server/notify/webhooks/start'
import { startDirectory } from '@/server/people/federation/ldap/recheck'
import { ownSettings } from './own-settings'

/** What each area starts with the process, in order. */
const starters: ((runtime: Runtime) => Promise<void> | void)[] = [
  runtime => moveFormer(runtime, Object.values(ownSettings)),
  runtime => startMail(runtime),
  startFeedback,
  runtime => startWebhooks(runtime, alertPausedWebhook),
  runtime => startAlerts(runtime),
  startFleet,
  startAdoptions,
  startDiscoveries,
  async runtime => {
    await startChange(runtime, changeTransport(fleetOf(runtime)))
  },
  startDirectory,
  startBackups,
  startSyslog,
  startCommandSocket,
]

/** Next would answer 500 for ever after a failed start: the process ends instead, and its supervisor decides. */
function endProcess(error: unknown): never {
  console.error('the manager could not start:', error)
  process.exit(1)
}

export async function startManager(): Promise<void> {
  process.env.AUTH_TRUST_HOST = '1'
  const lines = keepRecentLines()
  // Development's own lines are coloured.
  if (process.env.NODE_ENV === 'production') guardLog()
  const runtime = await startRuntime([made => recentLines.start(made, lines), ...starters]).catch(endProcess)
  process.env.NEXTAUTH_SECRET = runtime.secrets.derive('next-auth')
  // The server in front stops listening first, then asks for this.
  process.once(
    'lanward:stop' as NodeJS.Signals,
    () => void stopRuntime().finally(() => process.emit('lanward:stopped' as never)),
  )
}
