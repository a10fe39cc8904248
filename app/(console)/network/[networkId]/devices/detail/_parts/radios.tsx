'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Bar } from '@/app/_ui/meters'
import { Status } from '@/app/_ui/status'
import { Count, Percent, Value } from '@/app/_ui/value'
import type { Band } from '@/model/wifi/channels'
import type { Radio } from '@/server/drivers/observation'
import type { DeviceInfo } from './device-info'
import './radios.css'

/** A device whose radios are more than its ports. */
export const isAccessPoint = ({ reading }: Pick<DeviceInfo, 'reading'>): boolean => (reading.radios?.length ?? 0) > 0

const busyPercent = 70

/** Each radio at a glance: band, channel, width, who is connected, how busy the air is, and what it sends. */
export function Radios({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.wireless')
  const { radios = [] } = info.reading
  if (radios.length === 0) return null
  return (
    <Card title={t('radios')}>
      <div className="radios">
        {radios.map(radio => (
          <RadioTile key={radio.key} radio={radio} info={info} />
        ))}
      </div>
    </Card>
  )
}

/** What the device did not say has no line; that a radio is off says the rest of it. */
function RadioTile({ radio, info }: { radio: Radio; info: DeviceInfo }) {
  const t = useTranslations('devices.detail.wireless')
  const sent = (info.reading.bss ?? []).filter(one => one.radio === radio.key || one.radio === radio.name)
  const up = sent.filter(one => one.up)
  const counts = up.flatMap(one => one.clients ?? [])
  const clients = counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined
  const busy = radio.utilizationPercent
  const facts: [string, ReactNode][] = [
    ...fact(t('width'), radio.widthMhz, value => <Value value={String(value)} unit="MHz" />),
    ...fact(t('power'), radio.txPowerDbm, value => <Value value={String(value)} unit="dBm" />),
    ...fact(t('clients'), clients, value => <Count value={value} />),
    ...fact(t('busy'), busy, value => <Percent value={value} />),
  ]
  return (
    <div className="radio">
      <span className="radio-band">
        <b>{radio.band ? t(`bands.${radio.band}`) : radio.name}</b>
        <Status state={radio.up === undefined ? 'unknown' : radio.up ? 'online' : 'offline'}>
          {radio.up === undefined ? null : radio.up ? t('up') : t('down')}
        </Status>
      </span>
      {radio.up !== false && radio.channel !== undefined && (
        <span className="radio-channel">
          <span className="muted">{t('channel')}</span> <b className="number">{radio.channel}</b>
        </span>
      )}
      {radio.up !== false && facts.length > 0 && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {radio.up !== false && busy !== undefined && (
        <Bar slim share={busy / 100} tone={busy >= busyPercent ? 'warning' : undefined} />
      )}
      {radio.band && info.can.settings === 'all' && (
        <WhatIsSet device={info.id} band={radio.band} chosen={chosenFor(radio, info)} />
      )}
      <span className="radio-names soft">{up.map(one => one.ssid).join(', ') || t('noSsid')}</span>
    </div>
  )
}

/** The channel that automatic means here; undefined where the radio chooses itself. */
function chosenFor({ key, band, can }: Radio, { channels, reading }: DeviceInfo): number | undefined {
  const chosen = band && channels[band]
  const isFirst = reading.radios?.find(one => one.band === band)?.key === key
  const has = band && can?.[band]?.channels
  return chosen !== undefined && isFirst && (!has?.length || has.includes(chosen)) ? chosen : undefined
}

/** Beside what the radio does now, what settings say for its band. */
function WhatIsSet({ device, band, chosen }: { device: number; band: Band; chosen: number | undefined }) {
  const t = useTranslations('devices.detail.wireless.set')
  const may = useMay('settings_wifi')
  const { data } = useNetworkCall('settings/radio/get', may ? { scope: { device } } : null)
  if (!data) return null
  const set = (what: string) => data.own[`${what}${band}`] ?? data.inherited[`${what}${band}`]?.value
  if (set('enabled') === false) return <span className="fine-print muted">{t('off')}</span>
  const [channel, power] = [Number(set('channel')), set('power')]
  const automatic = chosen === undefined ? t('automatic') : t('chosen', { channel: chosen })
  const words = {
    channel: channel === 0 ? automatic : t('channel', { channel }),
    width: Number(set('width')),
    power: power === undefined ? t('most') : t('power', { power: Number(power) }),
  }
  return <span className="fine-print muted">{t('label', words)}</span>
}

const fact = (name: string, value: number | undefined, draw: (value: number) => ReactNode): [string, ReactNode][] =>
  value === undefined ? [] : [[name, draw(value)]]
