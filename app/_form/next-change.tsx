'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useContext } from 'react'
import { useClock, useNow } from '@/app/_ui/clock'
import { formatDate, formatTime, wallText } from '@/app/_ui/time'
import type { Data } from '@/model/kind'
import { Zone } from './device-zone'
import { type Nearness, nearness, scheduleStanding, type Times } from './schedule-next'

/** The times among the values of a form or a row. */
export const timesOf = (values: Data): Times => ({
  weekly: String(values.weekly ?? ''),
  dates: ((values.dates ?? []) as Partial<Times['dates'][number]>[]).map(({ date = '', times = '' }) => ({
    date,
    times,
  })),
})

/** When a schedule goes on or off next, in the devices' zone, which is named where it is not the reader's own. */
export function NextChange({ times }: { times: Times }) {
  const t = useTranslations('form.slots.next')
  const locale = useLocale()
  const { style } = useClock()
  const timeZone = useContext(Zone)
  const now = useNow()
  if (now === undefined) return null
  const { on, changes } = scheduleStanding(times, now, timeZone)
  if (changes === undefined) return null
  const near: Nearness = nearness(wallText(now, timeZone), wallText(changes, timeZone))
  const own = { ...style, timeZone }
  const values = {
    time: formatTime(changes, own),
    date: formatDate(changes, own),
    day: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone }).format(changes),
  }
  return (
    <time className="fine-print muted" dateTime={new Date(changes).toISOString()}>
      {t(`${on ? 'off' : 'on'}.${near}`, values)}
      {timeZone !== style.timeZone && ` · ${t('zone', { zone: timeZone.replaceAll('_', ' ') })}`}
    </time>
  )
}

/** The same of a schedule's fields as they stand in its form. */
export const NextChangeOf = ({ values }: { values: Data }) => <NextChange times={timesOf(values)} />
