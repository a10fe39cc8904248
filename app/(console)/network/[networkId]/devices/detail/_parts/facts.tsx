'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Card, KeyValues } from '@/app/_ui/card'
import { useClock } from '@/app/_ui/clock'
import { bytes, short } from '@/app/_ui/format'
import { Duration, Maybe, Percent, Value } from '@/app/_ui/value'
import type { DeviceInfo } from './device-info'
import { NotProvided } from './not-provided'

/** What the device says of itself. What it does not say is marked so, never left blank or zero. */
export function Facts({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.facts')
  const clock = useClock()
  const { reading } = info
  const facts = info.facts
  const text = (value: string | undefined, className?: string): ReactNode =>
    value ? <span className={className}>{value}</span> : <NotProvided driver={info.driver} />
  const reason = useTranslations('devices')('notProvided', { driver: info.driver })
  const known = reading.takenAt !== undefined
  const number = (value: number | undefined, draw: (value: number) => ReactNode) => (
    <Maybe value={value ?? (known ? null : undefined)} why={reason}>
      {draw}
    </Maybe>
  )
  const health = reading.health
  return (
    <Card
      title={t('title')}
      meta={
        reading.takenAt !== undefined && (
          <span className="number">{t('read', { at: clock.time(reading.takenAt, true) })}</span>
        )
      }
      pad
    >
      <KeyValues
        rows={[
          [t('serial'), text(facts.serial)],
          [t('mac'), text((facts.mac ?? info.mac).toUpperCase(), 'mac')],
          [t('vendor'), text(facts.vendor)],
          [t('model'), text(facts.model)],
          [t('hardware'), text(facts.hardware)],
          [t('firmware'), text(facts.firmware)],
          facts.boot !== undefined && [t('boot'), facts.boot],
          facts.partNumber !== undefined && [t('partNumber'), facts.partNumber],
          [t('hostname'), text(facts.hostname)],
          [t('driver'), <DriverName key="d" driver={info.driver} />],
          [t('group'), info.groupName || <span className="muted">{t('noGroup')}</span>],
          [t('uptime'), number(info.uptimeSeconds, value => <Duration seconds={value} />)],
          [t('cpu'), number(health?.cpuPercent, value => <Percent value={value} />)],
          [t('memory'), <Used key="m" known={known} used={health?.memoryUsedBytes} total={health?.memoryTotalBytes} />],
          [
            t('storage'),
            <Used key="s" known={known} used={health?.storageUsedBytes} total={health?.storageTotalBytes} />,
          ],
          [t('temperature'), number(health?.temperatureCelsius, value => <Value value={short(value)} unit="°C" />)],
          facts.location ? [t('location'), facts.location] : false,
          facts.contact ? [t('contact'), facts.contact] : false,
        ]}
      />
    </Card>
  )
}

function DriverName({ driver }: { driver: DeviceInfo['driver'] }) {
  return useTranslations('devices.driver')(driver)
}

function Used({ known, used, total }: { known: boolean; used: number | undefined; total: number | undefined }) {
  const t = useTranslations('devices.detail.facts')
  return (
    <Maybe value={used === undefined || total === undefined ? (known ? null : undefined) : used}>
      {value => {
        const whole = bytes(total ?? 0)
        const part = bytes(value)
        const same = part.unit === whole.unit
        return (
          <bdi className="number">
            {t('ofTotal', {
              used: same ? part.value : `${part.value} ${part.unit}`,
              total: `${whole.value} ${whole.unit}`,
            })}
          </bdi>
        )
      }}
    </Maybe>
  )
}
