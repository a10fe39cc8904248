'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Status } from '@/app/_ui/status'
import { Bits, Bytes, Count, Duration, Maybe, Percent, Value } from '@/app/_ui/value'
import type { Bss, Radio, Station } from '@/server/drivers/observation'
import { NotProvided } from '../../_parts/not-provided'
import type { PlainColumn } from '../../_parts/plain-table'
import { Part } from './part'

const said = <T,>(value: T | undefined): T | null => value ?? null

/** Makes columns of numbers: what the device did not say is marked, never zero. */
const numbers =
  <T,>(title: (key: never) => string) =>
  (
    key: string,
    of: (row: T) => number | undefined,
    draw: (value: number) => ReactNode,
    wideOnly?: boolean,
  ): PlainColumn<T> => ({
    key,
    title: title(key as never),
    end: true,
    wideOnly,
    cell: row => <Maybe value={said(of(row))}>{draw}</Maybe>,
  })

const octetsOf = ({ rxBytes, txBytes }: Station) =>
  rxBytes === undefined && txBytes === undefined ? undefined : (rxBytes ?? 0) + (txBytes ?? 0)

function useRadioColumns(): PlainColumn<Radio>[] {
  const t = useTranslations('devices.detail.wireless')
  const number = numbers<Radio>(t)
  return [
    { key: 'name', title: t('radio'), cell: row => <span className="medium">{row.name}</span> },
    {
      key: 'state',
      title: t('state'),
      cell: row =>
        row.up === undefined ? (
          <NotProvided />
        ) : (
          <Status state={row.up ? 'online' : 'offline'}>{row.up ? t('up') : t('down')}</Status>
        ),
    },
    {
      key: 'band',
      title: t('band'),
      cell: row => <Maybe value={said(row.band)}>{band => t(`bands.${band as '2g' | '5g' | '6g'}`)}</Maybe>,
    },
    number(
      'channel',
      row => row.channel,
      value => <span className="number">{value}</span>,
    ),
    number(
      'width',
      row => row.widthMhz,
      value => <Value value={String(value)} unit="MHz" />,
      true,
    ),
    number(
      'power',
      row => row.txPowerDbm,
      value => <Value value={String(value)} unit="dBm" />,
    ),
    number(
      'noise',
      row => row.noiseDbm,
      value => <Value value={String(value)} unit="dBm" />,
      true,
    ),
    number(
      'busy',
      row => row.utilizationPercent,
      value => <Percent value={value} />,
      true,
    ),
    {
      key: 'country',
      title: t('country'),
      wideOnly: true,
      cell: row => <Maybe value={said(row.country)}>{v => v}</Maybe>,
    },
  ]
}

function useBssColumns(): PlainColumn<Bss>[] {
  const t = useTranslations('devices.detail.wireless')
  return [
    { key: 'ssid', title: t('ssid'), cell: row => <span className="medium">{row.ssid}</span> },
    {
      key: 'state',
      title: t('state'),
      cell: row => <Status state={row.up ? 'online' : 'offline'}>{row.up ? t('up') : t('down')}</Status>,
    },
    { key: 'radio', title: t('radio'), cell: row => row.radio },
    {
      key: 'bssid',
      title: t('bssid'),
      wideOnly: true,
      cell: row => <Maybe value={said(row.bssid)}>{v => <span className="mac soft">{v.toUpperCase()}</span>}</Maybe>,
    },
    numbers<Bss>(t)(
      'clients',
      row => row.clients,
      value => <Count value={value} />,
    ),
  ]
}

function useStationColumns(): PlainColumn<Station>[] {
  const t = useTranslations('clients')
  const number = numbers<Station>(t)
  return [
    { key: 'mac', title: t('mac'), cell: row => <span className="mac">{row.mac.toUpperCase()}</span> },
    { key: 'on', title: t('on'), cell: row => row.ssid },
    number(
      'signal',
      row => row.signalDbm,
      value => <Value value={String(value)} unit="dBm" />,
    ),
    number(
      'rate',
      row => row.txRate ?? row.rxRate,
      value => <Bits value={value} />,
      true,
    ),
    number('traffic', octetsOf, value => <Bytes value={value} />),
    number(
      'since',
      row => row.connectedSeconds,
      value => <Duration seconds={value} />,
      true,
    ),
  ]
}

type Props = { radios?: Radio[]; bss?: Bss[]; stations?: Station[]; driver: string }

/** Radios, what they send, and who is connected. */
export function Wireless({ radios, bss, stations, driver }: Props) {
  const t = useTranslations('devices.detail.wireless')
  const columns = { radios: useRadioColumns(), bss: useBssColumns(), stations: useStationColumns() }
  return (
    <div className="stack">
      <Part
        title={t('radios')}
        rows={radios}
        driver={driver}
        empty={t('none')}
        columns={columns.radios}
        rowKey={r => r.key}
      />
      <Part
        title={t('ssids')}
        rows={bss}
        driver={driver}
        empty={t('noSsid')}
        columns={columns.bss}
        rowKey={b => b.key}
      />
      <Part
        title={t('stations')}
        rows={stations}
        driver={driver}
        empty={t('noStation')}
        columns={columns.stations}
        rowKey={s => s.mac}
      />
    </div>
  )
}
