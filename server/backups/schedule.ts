import { readGeneral } from '@/server/kernel/general'
import type { Runtime } from '@/server/kernel/runtime'
import { getSetting } from '@/server/kernel/settings'
import { removeScratch } from './scratch'
import { makeBackup, storedPassphrase } from './service'

export type Schedule = { frequency: 'off' | 'daily' | 'weekly'; time: string; weekday: number }

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
  const { history } = getSetting(runtime.db, 'backups')
  await makeBackup(runtime, { automatic: true, history, passphrase: storedPassphrase(runtime) })
}

/** Starts, changes or ends the scheduled backup by what is stored; its time is of the manager's time zone. */
export function applySchedule(runtime: Runtime): void {
  const { schedule } = getSetting(runtime.db, 'backups')
  const { timezone } = readGeneral(runtime.db)
  if (schedule) runtime.jobs.start({ id: 'backup', every: schedule, timezone, run: scheduled })
  else runtime.jobs.stop('backup')
}

/** A box that is off at night would never be backed up: what was missed is made up for soon after the start. */
function catchUp(runtime: Runtime): void {
  const { schedule, lastProven } = getSetting(runtime.db, 'backups')
  const { frequency } = scheduleOf(schedule)
  if (frequency === 'off' || !getSetting(runtime.db, 'wizard').finished) return
  const age = Date.now() - (lastProven?.at ?? 0)
  if (age < (frequency === 'daily' ? day : 7 * day) + 3600_000) return
  const timer = setTimeout(() => void scheduled(runtime).catch(error => console.error('backup:', error)), catchUpMs)
  runtime.closers.push(() => clearTimeout(timer))
}

export function startBackups(runtime: Runtime): void {
  removeScratch(runtime.config.data)
  applySchedule(runtime)
  catchUp(runtime)
}
