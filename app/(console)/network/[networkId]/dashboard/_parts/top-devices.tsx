'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Bar } from '@/app/_ui/meters'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { Bytes, Count, Maybe } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { shapeOfState } from '@/app/(console)/network/[networkId]/devices/_parts/device-state'
import { deviceState } from '@/model/device-state'
import type { Range } from './ranges'

/** Devices by what they carried in the range. */
export function TopDevices({ range }: { range: Range }) {
  const t = useTranslations('dashboard.top')
  const names = useTranslations('dashboard.rangeNames')
  const statuses = useTranslations('devices.status')
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('dashboard/top-aps', { range, most: 7 }, { refreshMs: 60_000 })
  const octets = (row: { inOctets: number; outOctets: number }) => row.inOctets + row.outOctets
  return (
    <Card title={t('title')} meta={t('by', { range: names(range) })}>
      <Loaded call={call}>
        {({ result }) => {
          const most = Math.max(1, ...result.map(octets))
          if (result.length === 0) return <EmptyState slim icon="devices" title={t('empty')} />
          return (
            <table className="data-table plain top-devices" aria-label={t('title')}>
              <thead>
                <tr>
                  <th>{t('device')}</th>
                  <th className="numeric">{t('clients')}</th>
                  <th className="numeric" colSpan={2}>
                    {t('traffic')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {result.map(device => (
                  <tr key={device.id}>
                    <td>
                      <span className="row">
                        <Status state={shapeOfState(deviceState(device))} label={statuses(deviceState(device))} />
                        <ScreenLink
                          needs="devices"
                          className="name truncated"
                          href={`/network/${networkId}/devices/detail?id=${device.id}`}
                        >
                          {device.name}
                        </ScreenLink>
                      </span>
                    </td>
                    <td className="numeric">
                      <Maybe value={device.clients ?? (device.clientsCounted ? null : undefined)}>
                        {value => <Count value={value} />}
                      </Maybe>
                    </td>
                    <td className="hide">
                      <Bar slim share={octets(device) / most} />
                    </td>
                    <td className="numeric">
                      <Bytes value={octets(device)} />
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
