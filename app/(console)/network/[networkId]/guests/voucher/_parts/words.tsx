'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useClock } from '@/app/_ui/clock'
import { Count } from '@/app/_ui/value'
import { type Lasting, lastingSeconds } from '@/model/guests/voucher'
import type { Group } from './rows'

/** Days, hours and minutes in whole: "1 d 12 h 30 min". */
export function useLasting(): (seconds: number) => string {
  const t = useTranslations('common.time')
  return seconds => {
    const minutes = Math.floor(seconds / 60)
    const parts = [
      ['day', Math.floor(minutes / 1440)],
      ['hour', Math.floor(minutes / 60) % 24],
      ['minute', minutes % 60],
    ] as const
    const said = parts.filter(([, value]) => value > 0).map(([unit, value]) => t(unit, { value }))
    return said.length ? said.join(' ') : t('minute', { value: 0 })
  }
}
export const secondsOf = (lasting: Lasting): number => lastingSeconds(lasting)

/** A rate in the unit it was entered in. */
export const rateText = (kbps: number): string => (kbps >= 1000 ? `${kbps / 1000} Mbps` : `${kbps} Kbps`)

/** What a group lets a guest have, one line each. */
export function useTerms(): (group: Group) => { devices: string; data: string; rates: string; reset: string } {
  const t = useTranslations('vouchers.terms')
  const clock = useClock()
  const locale = useLocale()
  return ({ maxDevices, byteLimitMb, bytesPer, downloadKbps, uploadKbps, resetDays, nextReset }) => {
    const megabytes = new Intl.NumberFormat(locale).format(byteLimitMb ?? 0)
    const rates = [
      downloadKbps !== null && t('down', { rate: rateText(downloadKbps) }),
      uploadKbps !== null && t('up', { rate: rateText(uploadKbps) }),
    ].filter(one => one !== false)
    return {
      devices: maxDevices === 0 ? t('anyDevices') : t('devices', { count: maxDevices }),
      data: byteLimitMb === null ? t('noLimit') : t(bytesPer === 'device' ? 'dataEach' : 'data', { megabytes }),
      rates: rates.length ? rates.join(', ') : t('noLimit'),
      reset: resetDays === 0 ? t('never') : t('reset', { days: resetDays, next: clock.dateTime(nextReset ?? 0) }),
    }
  }
}

type Counts = CallOutput<'vouchers/states'>
const states = ['unused', 'inUse', 'used', 'expired'] as const

/** How many vouchers are in each state, as a bar with its figures in words. */
export function StateBar({ counts }: { counts: Counts }) {
  const t = useTranslations('vouchers.states')
  const shown = states.filter(state => counts[state] > 0)
  const said = shown.map(state => `${t(state)}: ${counts[state]}`).join(', ')
  return (
    <span className="voucher-bar" role="img" aria-label={said} title={said}>
      {shown.map(state => (
        <i key={state} className={state} style={{ flexGrow: counts[state] }} />
      ))}
    </span>
  )
}

/** "18 of 60 left". */
export function Left({ counts }: { counts: Counts }) {
  const t = useTranslations('vouchers')
  return (
    <span className="row">
      <span>
        {t.rich('left', {
          unused: () => <Count value={counts.unused} />,
          total: () => <Count value={counts.total} />,
        })}
      </span>
      <StateBar counts={counts} />
    </span>
  )
}
