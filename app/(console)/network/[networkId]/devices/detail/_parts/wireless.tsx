'use client'
import { useTranslations } from 'next-intl'
import { Status } from '@/app/_ui/status'
import { Bits, Bytes, Count, Duration, Maybe, Percent, Value } from '@/app/_ui/value'
import type { Bss, Radio, Station } from '@/server/devices/observation'
import type { PlainColumn } from '../../_parts/plain-table'
import { NotProvided } from './not-provided'
import { Part } from './part'

const said = <T,>(value: T | undefined): T | null => value ?? null

function useRadioColumns(): PlainColumn<Radio>[] {
  const t = useTranslations('devices.detail.wireless')
  return [
    { key: 'name', title: t('radio'), cell: row => <span className="med">{row.name}</span> },
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
    {
      key: 'channel',
      title: t('channel'),
      end: true,
      cell: row => <Maybe value={said(row.channel)}>{v => <span className="num">{v}</span>}</Maybe>,
    },
    {
      key: 'width',
      title: t('width'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.widthMhz)}>{v => <Value value={String(v)} unit="MHz" />}</Maybe>,
    },
    {
      key: 'power',
      title: t('power'),
      end: true,
      cell: row => <Maybe value={said(row.txPowerDbm)}>{v => <Value value={String(v)} unit="dBm" />}</Maybe>,
    },
    {
      key: 'noise',
      title: t('noise'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.noiseDbm)}>{v => <Value value={String(v)} unit="dBm" />}</Maybe>,
    },
    {
      key: 'busy',
      title: t('busy'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.utilizationPercent)}>{v => <Percent value={v} />}</Maybe>,
    },
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
    { key: 'ssid', title: t('ssid'), cell: row => <span className="med">{row.ssid}</span> },
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
    {
      key: 'clients',
      title: t('clients'),
      end: true,
      cell: row => <Maybe value={said(row.clients)}>{v => <Count value={v} />}</Maybe>,
    },
  ]
}

function useStationColumns(): PlainColumn<Station>[] {
  const t = useTranslations('devices.detail.clients')
  return [
    { key: 'mac', title: t('mac'), cell: row => <span className="mac">{row.mac.toUpperCase()}</span> },
    { key: 'on', title: t('on'), cell: row => row.ssid },
    {
      key: 'signal',
      title: t('signal'),
      end: true,
      cell: row => <Maybe value={said(row.signalDbm)}>{v => <Value value={String(v)} unit="dBm" />}</Maybe>,
    },
    {
      key: 'rate',
      title: t('rate'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.txRate ?? row.rxRate)}>{v => <Bits value={v} />}</Maybe>,
    },
    {
      key: 'traffic',
      title: t('traffic'),
      end: true,
      cell: row => (
        <Maybe
          value={
            row.rxBytes === undefined && row.txBytes === undefined ? null : (row.rxBytes ?? 0) + (row.txBytes ?? 0)
          }
        >
          {v => <Bytes value={v} />}
        </Maybe>
      ),
    },
    {
      key: 'since',
      title: t('since'),
      end: true,
      wideOnly: true,
      cell: row => <Maybe value={said(row.connectedSeconds)}>{v => <Duration seconds={v} />}</Maybe>,
    },
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
