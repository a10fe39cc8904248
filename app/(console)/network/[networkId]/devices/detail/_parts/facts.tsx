'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { wordOr } from '@/app/_i18n/word'
import { Card, KeyValues } from '@/app/_ui/card'
import { useClock } from '@/app/_ui/clock'
import { bytes, short } from '@/app/_ui/format'
import { Duration, Maybe, Percent, Value } from '@/app/_ui/value'
import type { DeviceInfo } from './device-info'

/** What the device says of itself. What it does not say is named below, in one line: neither blank nor zero. */
export function Facts({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.facts')
  const clock = useClock()
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  const { reading } = info
  const facts = info.facts
  const known = reading.takenAt !== undefined
  // Before the first reading nobody knows; after it, what is missing the device does not tell.
  const missing = known ? null : <Maybe value={undefined}>{() => null}</Maybe>
  const text = (value: string | undefined, className?: string): ReactNode =>
    value ? <span className={className}>{value}</span> : missing
  const number = (value: number | undefined, draw: (value: number) => ReactNode): ReactNode =>
    value === undefined ? missing : draw(value)
  const used = (part: number | undefined, total: number | undefined): ReactNode =>
    part === undefined || total === undefined ? missing : <Used used={part} total={total} />
  const health = reading.health
  const rows: (readonly [string, ReactNode] | false)[] = [
    [t('serial'), text(facts.serial)],
    [t('mac'), text((facts.mac ?? info.mac).toUpperCase(), 'mac')],
    facts.ipv6 ? [t('ipv6'), text(facts.ipv6, 'ip')] : false,
    [t('vendor'), text(facts.vendor)],
    [t('model'), text(facts.model)],
    [t('hardware'), text(facts.hardware)],
    [t('firmware'), text(facts.firmware)],
    facts.kernel !== undefined && [t('kernel'), facts.kernel],
    facts.boot !== undefined && [t('boot'), facts.boot],
    facts.partNumber !== undefined && [t('partNumber'), facts.partNumber],
    [t('hostname'), text(facts.hostname)],
    [t('driver'), <DriverName key="d" driver={info.driver} />],
    [t('group'), info.groupName || <span className="muted">{t('noGroup')}</span>],
    [t('uptime'), number(info.uptimeSeconds, value => <Duration seconds={value} />)],
    [t('cpu'), number(health?.cpuPercent, value => <Percent value={value} />)],
    [
      t('memory'),
      health?.memoryUsedBytes === undefined && health?.memoryUsedPercent !== undefined ? (
        <Percent key="m" value={health.memoryUsedPercent} />
      ) : (
        used(health?.memoryUsedBytes, health?.memoryTotalBytes)
      ),
    ],
    [t('storage'), used(health?.storageUsedBytes, health?.storageTotalBytes)],
    [t('temperature'), number(health?.temperatureCelsius, value => <Value value={short(value)} unit="°C" />)],
    facts.location ? [t('location'), facts.location] : false,
    facts.contact ? [t('contact'), facts.contact] : false,
  ]
  const told = rows.filter(row => row !== false)
  const untold = told.filter(([, value]) => value === null).map(([name]) => name)
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
      <KeyValues rows={told.filter(([, value]) => value !== null)} />
      {untold.length > 0 && (
        <p className="muted fine-print facts-untold">{t('untold', { names: list.format(untold) })}</p>
      )}
    </Card>
  )
}

function DriverName({ driver }: { driver: DeviceInfo['driver'] }) {
  return wordOr(useTranslations('devices.driver'), driver)
}

function Used({ used, total }: { used: number; total: number }) {
  const t = useTranslations('devices.detail.facts')
  const whole = bytes(total)
  const part = bytes(used)
  return (
    <bdi className="number">
      {t('ofTotal', {
        used: part.unit === whole.unit ? part.value : `${part.value} ${part.unit}`,
        total: `${whole.value} ${whole.unit}`,
      })}
    </bdi>
  )
}
