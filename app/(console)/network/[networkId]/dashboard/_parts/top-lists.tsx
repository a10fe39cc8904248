'use client'
import { useParams } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { clientsOn } from '@/app/_shared/clients/client'
import { Card } from '@/app/_ui/card'
import { bytes } from '@/app/_ui/format'
import { Bar } from '@/app/_ui/meters'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Bytes, Count, Maybe } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { type Range, refreshMs } from './ranges'

/** Wi-Fi networks by what they carried in the range. */
export function TopSsids({ range }: { range: Range }) {
  const t = useTranslations('dashboard.topSsids')
  const { networkId } = useParams<{ networkId: string }>()
  const names = useTranslations('dashboard.rangeNames')
  const call = useNetworkCall('dashboard/top-ssids', { range, most: 7 }, { refreshMs: refreshMs[range] })
  const octets = (one: { downOctets?: number; upOctets?: number }) =>
    one.downOctets === undefined ? undefined : one.downOctets + (one.upOctets ?? 0)
  return (
    <Card title={t('title')} meta={t('by', { range: names(range) })}>
      <Loaded call={call} lines={6}>
        {({ result }) => {
          const most = Math.max(1, ...result.map(one => octets(one) ?? 0))
          if (result.length === 0) return <EmptyState slim icon="wifi" title={t('empty')} />
          return (
            <table className="data-table plain top-rows" aria-label={t('title')}>
              <thead>
                <tr>
                  <th>{t('ssid')}</th>
                  <th className="numeric">{t('clients')}</th>
                  <th className="numeric" colSpan={2}>
                    {t('traffic')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {result.map(one => (
                  <tr key={one.ssid}>
                    <td>
                      <bdi className="truncated medium">{one.ssid}</bdi>
                    </td>
                    <td className="numeric">
                      <Maybe value={one.clients ?? null}>
                        {value => (
                          <ScreenLink needs="clients" href={clientsOn(networkId, one.ssid)}>
                            <Count value={value} />
                          </ScreenLink>
                        )}
                      </Maybe>
                    </td>
                    <td className="hide">
                      <Bar slim share={(octets(one) ?? 0) / most} />
                    </td>
                    <td className="numeric">
                      <Maybe value={octets(one) ?? null}>{value => <Bytes value={value} />}</Maybe>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** Clients by what they moved in the last day. */
export function TopClients() {
  const t = useTranslations('dashboard.topClients')
  const locale = useLocale()
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('dashboard/top-clients', { most: 7 }, { live: true })
  return (
    <Card title={t('title')} meta={t('by')}>
      <Loaded call={call} lines={6}>
        {({ result }) => {
          const rows = result.flatMap(({ mac, name, day }) =>
            day ? { mac, name: name ?? mac.toUpperCase(), octets: (day.down ?? 0) + (day.up ?? 0) } : [],
          )
          const most = Math.max(1, ...rows.map(one => one.octets))
          if (rows.length === 0) return <EmptyState slim icon="clients" title={t('empty')} />
          return (
            <ul className="bar-rows">
              {rows.map(({ mac, name, octets }) => {
                const { value, unit } = bytes(octets, locale)
                return (
                  <li key={mac}>
                    <ScreenLink
                      needs="clients"
                      className="name truncated"
                      href={`/network/${networkId}/clients/detail?id=${mac}`}
                    >
                      <bdi>{name}</bdi>
                    </ScreenLink>
                    <Bar slim share={octets / most} />
                    <span className="number">
                      {value} <span className="unit">{unit}</span>
                    </span>
                  </li>
                )
              })}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
