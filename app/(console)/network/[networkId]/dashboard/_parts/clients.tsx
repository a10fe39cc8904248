'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { bytes, short } from '@/app/_ui/format'
import { type BarRow, Bars } from '@/app/_ui/meters'
import { EmptyState, Loaded } from '@/app/_ui/states'
import type { Range } from './ranges'

/** Who is connected now, by Wi-Fi and wire, and who moved most. */
export function Clients({ range }: { range: Range }) {
  const t = useTranslations('dashboard.clients')
  const call = useNetworkCall('dashboard/clients-count', { range }, { live: true })
  const locale = useLocale()
  return (
    <Card title={t('title')} meta={call.data?.total !== undefined && t('now', { count: call.data.total })}>
      <Loaded call={call}>
        {({ total, wifi, wired }) => {
          if (total === undefined) return <EmptyState slim icon="clients" title={t('unknown')} />
          if (total === 0) return <EmptyState slim icon="clients" title={t('empty')} />
          const rows: BarRow[] = [
            ...(wifi === undefined ? [] : [{ name: t('wifi'), value: wifi, shown: short(wifi, locale) }]),
            ...(wired === undefined
              ? []
              : [{ name: t('wired'), value: wired, shown: short(wired, locale), tone: 'chart-6' }]),
          ]
          return (
            <>
              <div className="padded">
                <Bars rows={rows} />
              </div>
              <TopClients />
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function TopClients() {
  const t = useTranslations('dashboard.topClients')
  const locale = useLocale()
  const call = useNetworkCall('dashboard/top-clients', { most: 5 }, { live: true })
  const rows = (call.data?.result ?? []).flatMap(client => {
    if (client.downOctets === undefined) return []
    const value = client.downOctets + (client.upOctets ?? 0)
    const shown = bytes(value, locale)
    return [{ name: client.name ?? client.mac.toUpperCase(), value, shown: `${shown.value} ${shown.unit}` }]
  })
  if (!call.data) return null
  return (
    <div className="padded rule">
      <h3 className="muted fine-print">{t('title')}</h3>
      {rows.length === 0 ? <p className="muted fine-print">{t('empty')}</p> : <Bars rows={rows} />}
    </div>
  )
}
