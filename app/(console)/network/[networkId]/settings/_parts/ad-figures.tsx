'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Segments } from '@/app/_ui/check'
import { EmptyState, ErrorState, SkeletonLines } from '@/app/_ui/states'

type Row = CallOutput<'guests/ads/list'>['result'][number]
const spans = ['1', '7', '30'] as const
const refreshMs = 30_000
// On a phone the table scrolls inside its card: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

/** How often guests saw what splash pages advertise, and how often to its end where it has to be watched. */
export function AdFigures() {
  const t = useTranslations('profiles.splash.figures')
  const [days, setDays] = useState<string>('7')
  const input = useMemo(() => ({ days: Number(days), pageSize: 100 as const }), [days])
  const call = useNetworkCall('guests/ads/list', input, { refreshMs })
  if (call.error && !call.data) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  const rows = call.data?.result
  const options = spans.map(value => ({ value, label: t('days', { days: Number(value) }) }))
  return (
    <Card
      title={t('title')}
      className="mt-4"
      {...(rows?.length !== 0 && {
        meta: <Segments label={t('span')} options={options} value={days} onChange={setDays} />,
      })}
    >
      {!rows && <SkeletonLines lines={2} />}
      {rows?.length === 0 && (
        <EmptyState slim title={t('empty')}>
          {t('emptyHelp')}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <div className="table-scroll" {...scrolled}>
          <table className="data-table plain" aria-label={t('title')}>
            <thead>
              <tr>
                {(['name', 'ads', 'shown', 'watched'] as const).map(key => (
                  <th key={key} scope="col" className={key === 'shown' || key === 'watched' ? 'numeric' : undefined}>
                    {t(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <Figures key={row.id} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function Figures({ row: { name, ads, shown, watched } }: { row: Row }) {
  const t = useTranslations('profiles.splash')
  const number = new Intl.NumberFormat(useLocale())
  return (
    <tr>
      <td>
        <bdi className="medium">{name}</bdi>
      </td>
      <td>{t(ads === 'video' ? 'fields.ads.choices.video' : 'fields.ads.choices.images')}</td>
      <td className="numeric">{number.format(shown)}</td>
      <td className="numeric">{watched === null ? t('figures.free') : number.format(watched)}</td>
    </tr>
  )
}
