'use client'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { age } from './format'
import { formatDate, formatDateTime, formatTime, type TimeStyle } from './time'

const Style = createContext<TimeStyle>({ format: 'yyyy-MM-dd', hour: 24, timeZone: 'UTC' })

/** The account's way of writing times, for everything inside. */
export function ClockProvider({ style, children }: { style: TimeStyle; children: ReactNode }) {
  return <Style value={style}>{children}</Style>
}

/** Times in the account's format and zone, from unix milliseconds. */
export function useClock() {
  const style = useContext(Style)
  return useMemo(
    () => ({
      style,
      date: (ms: number) => formatDate(ms, style),
      time: (ms: number, seconds?: boolean) => formatTime(ms, style, seconds),
      dateTime: (ms: number, seconds?: boolean) => formatDateTime(ms, style, seconds),
    }),
    [style],
  )
}

/** The time now, refreshed every half minute; undefined until the page runs in the browser. */
export function useNow(everyMs = 30_000): number | undefined {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Words for a moment: within the present day the time says it. */
export function useNearTime(): (at: number) => string {
  const clock = useClock()
  const now = useNow()
  return at => (now !== undefined && clock.date(now) === clock.date(at) ? clock.time(at) : clock.dateTime(at))
}

/** Words for how long ago: "12 min", then a date. */
export function useAge(): (at: number, now: number) => string {
  const t = useTranslations('common.time')
  const clock = useClock()
  return (at, now) => {
    const found = age(now - at)
    if (found === 'now') return t('now')
    if (found === 'date') return clock.date(at)
    return t(found.unit, { value: found.value })
  }
}

/** How long ago something was; the exact time is in the tooltip. */
export function Age({ at }: { at: number }) {
  const now = useNow()
  const words = useAge()
  const clock = useClock()
  return (
    <time className="number" dateTime={new Date(at).toISOString()} title={clock.dateTime(at, true)}>
      {now === undefined ? clock.dateTime(at) : words(at, now)}
    </time>
  )
}

/** A moment in the account's format. */
export function Moment({ at, seconds }: { at: number; seconds?: boolean }) {
  const clock = useClock()
  return (
    <time className="number" dateTime={new Date(at).toISOString()}>
      {clock.dateTime(at, seconds)}
    </time>
  )
}
