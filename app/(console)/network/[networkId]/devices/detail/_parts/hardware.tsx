'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Card, KeyValues } from '@/app/_ui/card'
import { short } from '@/app/_ui/format'
import { Status } from '@/app/_ui/status'
import { Percent, Value } from '@/app/_ui/value'
import type { Fan, PartState, PowerSupply, TemperatureSensor } from '@/server/drivers/hardware'
import type { DeviceInfo } from './device-info'

const marks = { ok: 'online', warning: 'warning', failed: 'failed', off: 'offline', absent: 'offline' } as const

function State({ state }: { state: PartState }) {
  const t = useTranslations('devices.detail.hardware')
  return <Status state={marks[state]}>{t(`states.${state}`)}</Status>
}

/** Rows by name, each once: a name that several share is counted on, and one that was not told is the place in the list. */
function namedRows<T extends { name?: string }>(
  parts: readonly T[],
  unnamed: (number: number) => string,
  draw: (part: T) => ReactNode,
): (readonly [string, ReactNode])[] {
  const seen = new Map<string, number>()
  return parts.map((part, i) => {
    const name = part.name ?? unnamed(i + 1)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return [count > 1 ? `${name} (${count})` : name, draw(part)]
  })
}

function FanValue({ rpm, percent, state }: Fan) {
  const t = useTranslations('devices.detail.hardware')
  return (
    <span className="row">
      {state && <State state={state} />}
      {rpm !== undefined && <Value value={String(rpm)} unit={t('rpm')} />}
      {percent !== undefined && <Percent value={percent} />}
      {state === undefined && rpm === undefined && percent === undefined && t('present')}
    </span>
  )
}

function SupplyValue({ model, state, watts }: PowerSupply) {
  const t = useTranslations('devices.detail.hardware')
  return (
    <span className="row">
      {state && <State state={state} />}
      {model && <span className="soft">{model}</span>}
      {watts !== undefined && <Value value={short(watts)} unit="W" />}
      {state === undefined && !model && watts === undefined && t('present')}
    </span>
  )
}

const Celsius = ({ celsius }: TemperatureSensor) => <Value value={short(celsius)} unit="°C" />

/** Fans, power supplies and sensors, as far as the device tells of any. */
export function Hardware({ reading }: { reading: DeviceInfo['reading'] }) {
  const t = useTranslations('devices.detail.hardware')
  const { fans, powerSupplies, temperatures } = reading
  // The only sensor is among the facts already.
  const sensors = temperatures && (temperatures.length > 1 || temperatures[0]?.name) ? temperatures : undefined
  const part = (title: string, rows: (readonly [string, ReactNode])[] | undefined) =>
    rows?.length ? (
      <Card title={title} meta={<span className="number">{rows.length}</span>} pad>
        <KeyValues rows={rows} />
      </Card>
    ) : null
  return (
    <>
      {part(
        t('fans'),
        fans &&
          namedRows(
            fans,
            number => t('fan', { number }),
            fan => <FanValue {...fan} />,
          ),
      )}
      {part(
        t('powerSupplies'),
        powerSupplies &&
          namedRows(
            powerSupplies,
            number => t('powerSupply', { number }),
            one => <SupplyValue {...one} />,
          ),
      )}
      {part(
        t('temperatures'),
        sensors &&
          namedRows(
            sensors,
            number => t('sensor', { number }),
            one => <Celsius {...one} />,
          ),
      )}
    </>
  )
}
