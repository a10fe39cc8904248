import { startAdoptions } from '@/server/devices/adoption/adoption-job'
import { startDiscoveries } from '@/server/devices/adoption/discovery'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { startClients } from '@/server/devices/clients/record'
import { startTimePolicies } from '@/server/devices/clients/time-watch'
import { startIncidents } from '@/server/devices/incidents/start'
import { startGroupPasswords } from '@/server/devices/inventory/login-calls'
import { fleetOf, startFleet } from '@/server/devices/link/fleet'
import { startAnnounced } from '@/server/guests/portal/announced-watch'
import { startAwayLists } from '@/server/guests/portal/away'
import { startRadius } from '@/server/guests/radius/here/start'
import { startGuestAccounting } from '@/server/guests/sessions/accounting'
import { startGuestPasswords } from '@/server/guests/sessions/password'
import { startVoucherKeys } from '@/server/guests/sessions/voucher-keys'
import { startGuests } from '@/server/guests/sessions/watch'
import { startVoucherPrints } from '@/server/guests/vouchers/print/prints'
import { startLogs } from '@/server/insight/logs/reception'
import { startMetrics } from '@/server/insight/metrics/store'
import { startRecords } from '@/server/insight/records/start'
import { startDiagnoses } from '@/server/insight/troubleshooting/diagnoses'
import { startSpeedTests } from '@/server/insight/troubleshooting/speed-tests'
import { belongings } from '@/server/kernel/belonging'
import { startFiles } from '@/server/kernel/files/start'
import { guardLog } from '@/server/kernel/log-lines'
import { moveFormer } from '@/server/kernel/own-settings'
import { keepRecentLines, recentLines } from '@/server/kernel/recent-lines'
import { startReserve } from '@/server/kernel/reserve'
import { type Runtime, startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { startMail } from '@/server/mail/start'
import { startBackups } from '@/server/manager/backups/schedule'
import { newestVerified } from '@/server/manager/backups/storage'
import { allBelongings } from '@/server/manager/belongings/all'
import { startSyslog } from '@/server/manager/changelog/syslog'
import { startCommandSocket } from '@/server/manager/command/socket'
import { startFeedback } from '@/server/manager/feedback/deliver'
import { startAlerts } from '@/server/notify/alerts/delivery'
import { webhookAlerts } from '@/server/notify/alerts/webhook-paused'
import { startNotices } from '@/server/notify/targets/start'
import { startWebhooks } from '@/server/notify/webhooks/start'
import { startClock } from '@/server/people/accounts/clock'
import { startDirectory } from '@/server/people/federation/ldap/recheck'
import { startPresence } from '@/server/people/keys/presence'
import { ownSettings } from './own-settings'

/** What each area starts with the process, in order. */
const starters: ((runtime: Runtime) => Promise<void> | void)[] = [
  runtime => belongings.start(runtime, allBelongings),
  runtime => moveFormer(runtime, Object.values(ownSettings)),
  startReserve,
  startFiles,
  startClock,
  runtime => startMail(runtime),
  startFeedback,
  runtime => startWebhooks(runtime, webhookAlerts),
  runtime => startAlerts(runtime),
  runtime => startNotices(runtime),
  startFleet,
  runtime => startIncidents(runtime),
  startClients,
  startTimePolicies,
  startPresence,
  runtime => startLogs(runtime),
  runtime => startRecords(runtime),
  startAdoptions,
  startGroupPasswords,
  startDiscoveries,
  startDiagnoses,
  startSpeedTests,
  startVoucherPrints,
  async runtime => {
    await startChange(runtime, changeTransport(fleetOf(runtime)))
  },
  startGuestPasswords,
  runtime => startGuests(runtime),
  startAwayLists,
  startAnnounced,
  startRadius,
  startVoucherKeys,
  startGuestAccounting,
  startDirectory,
  startBackups,
  startSyslog,
  startCommandSocket,
  runtime => startMetrics(runtime, { verifiedAt: () => newestVerified(runtime) }),
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
  if (process.env.NODE_ENV === 'production') {
    guardLog()
    // Node itself would print a line of the built file with it, and those are as long as the file.
    process.on('uncaughtException', error => {
      console.error('the manager ends by an error that nobody caught:', error)
      process.exit(1)
    })
  }
  const runtime = await startRuntime([made => recentLines.start(made, lines), ...starters]).catch(endProcess)
  process.env.NEXTAUTH_SECRET = runtime.secrets.derive('next-auth')
  // The server in front stops listening first, then asks for this.
  process.once(
    'lanward:stop' as NodeJS.Signals,
    () => void stopRuntime().finally(() => process.emit('lanward:stopped' as never)),
  )
}
