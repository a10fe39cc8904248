import { type BackupSchedule, backupSchedule } from '@/model/manager/backup-schedule'
import { type HealthNotice, moreNotices } from '@/server/insight/dashboard/notices'
import type { NetworkContext } from '@/server/kernel/call'
import { readGeneral } from '@/server/kernel/general'
import type { OwnSettings } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { takeSetting } from '@/server/kernel/settings'
import { setup } from '@/server/kernel/setup'
import { removeScratch } from './scratch'
import { formerPassphrase, isRunning, makeBackup, storedPassphrase } from './service'
import { backupState } from './state'
import { readSchedule, removeHalfArchives, takeStorage } from './storage'

type Schedule = Pick<BackupSchedule, 'frequency' | 'time' | 'weekday'>

const day = 86_400_000
const catchUpMs = 120_000

/** Cron line (minute hour * * weekday) of a schedule; '' for none. */
export function cronOf({ frequency, time, weekday }: Schedule): string {
  if (frequency === 'off') return ''
  const [hour, minute] = time.split(':').map(Number)
  return `${minute} ${hour} * * ${frequency === 'weekly' ? weekday : '*'}`
}

/** The reverse; a line this program did not write counts as off. */
export function scheduleOf(cron: string): Schedule {
  const match = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-6])$/.exec(cron)
  if (!match) return { frequency: 'off', time: '02:30', weekday: 0 }
  const [, minute = '', hour = '', weekday = '*'] = match
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  return weekday === '*'
    ? { frequency: 'daily', time, weekday: 0 }
    : { frequency: 'weekly', time, weekday: Number(weekday) }
}

const scheduled = async (runtime: Runtime) => {
  const { history } = readSchedule(runtime.db)
  await makeBackup(runtime, { automatic: true, history, passphrase: storedPassphrase(runtime) })
}

/** Starts, changes or ends the scheduled backup by what is stored; its time is of the manager's time zone. */
export function applySchedule(runtime: Runtime): void {
  const schedule = cronOf(readSchedule(runtime.db))
  const { timezone } = readGeneral(runtime.db)
  if (schedule) runtime.jobs.start({ id: 'backup', every: schedule, timezone, run: scheduled })
  else runtime.jobs.stop('backup')
}

/** The last good backup is older than the schedule would have it. */
function isOverdue(runtime: Runtime): boolean {
  const { lastProven } = backupState.read(runtime.db)
  const { frequency } = readSchedule(runtime.db)
  if (frequency === 'off' || !setup.read(runtime.db).finished) return false
  const age = Date.now() - (lastProven?.at ?? 0)
  return age >= (frequency === 'daily' ? day : 7 * day) + 3600_000
}

/** A box that is off at night would never be backed up: what was missed is made up for soon after the start. */
function catchUp(runtime: Runtime): void {
  if (!isOverdue(runtime)) return
  const timer = setTimeout(() => {
    // The schedule's own time may have come meanwhile.
    if (isOverdue(runtime) && !isRunning(runtime))
      void scheduled(runtime).catch(error => console.error('backup:', error))
  }, catchUpMs)
  runtime.closers.push(() => clearTimeout(timer))
}

export const backupSettings: OwnSettings<BackupSchedule> = {
  kind: backupSchedule,
  judge({ runtime }, { path }, before) {
    return { path: path === before.path ? undefined : takeStorage(runtime.config.data, path) }
  },
  applied(runtime) {
    applySchedule(runtime)
    runtime.bus.emit({ topic: 'backups' })
  },
  former(runtime) {
    const keys = ['schedule', 'storageLimitMb', 'path', 'history', 'sealedPassphrase'] as const
    const { schedule, sealedPassphrase, ...kept } = takeSetting(runtime.db, 'backups', keys)
    if (schedule === undefined) return []
    const passphrase = formerPassphrase(runtime, String(sealedPassphrase ?? ''))
    return [{ values: { ...kept, ...scheduleOf(String(schedule)), passphrase } }]
  },
}

/** A backup that this machine alone can restore does not outlive it: whoever looks after backups is told. */
const boundBackup = ({ runtime, actor }: NetworkContext): HealthNotice[] => {
  const { lastProven } = backupState.read(runtime.db)
  if (lastProven?.portable !== false || !actor.authorities.has('organization_manager')) return []
  return [{ code: 'backups', level: 'warning', since: lastProven.at, count: 1, devices: [] }]
}

export function startBackups(runtime: Runtime): void {
  moreNotices.of(runtime).add(boundBackup)
  removeScratch(runtime.config.data)
  try {
    removeHalfArchives(runtime)
  } catch (error) {
    // A storage that is not there or may not be written to is no reason not to start.
    console.error('backups:', error)
  }
  applySchedule(runtime)
  catchUp(runtime)
}
