'use client'
import { useLocale, useTranslations } from 'next-intl'
import { Card, KeyValues } from '@/app/_ui/card'
import { linkSpeed } from '@/app/_ui/format'
import { FrontPanel, type PortLook } from '@/app/_ui/front-panel'
import { Status } from '@/app/_ui/status'
import { Bits, Count, Maybe, Speed } from '@/app/_ui/value'
import type { DeviceInfo } from './device-info'
import { type FrontPort, frontPorts } from './panel-ports'

type Props = Pick<DeviceInfo, 'name' | 'model' | 'reading'>

/** The device's front: which ports have a link, how fast, and what hangs on them. Left out where it has no ports. */
export function Front({ name, model, reading }: Props) {
  const t = useTranslations('devices.detail.panel')
  const locale = useLocale()
  const word = (look: PortLook, speed?: number) => {
    if (look === 'off') return t('link.disabled')
    if (look === 'none') return t('link.down')
    if (look === 'unknown') return t('link.unknown')
    if (speed === undefined) return t('link.up')
    const { value, unit } = linkSpeed(speed, locale)
    return `${value} ${unit}`
  }
  const ports = frontPorts(reading, word)
  if (ports.length === 0) return null
  const up = ports.filter(port => port.face?.up).length
  return (
    <Card
      title={t('title')}
      meta={
        <>
          <span className="num">{t('up', { up, all: ports.length })}</span>
          <Power poe={reading.poe} />
        </>
      }
    >
      <FrontPanel
        name={name}
        model={model}
        ports={ports}
        card={port => <PortCard port={ports.find(one => one.key === port.key)} />}
      />
    </Card>
  )
}

function Power({ poe }: { poe: DeviceInfo['reading']['poe'] }) {
  const t = useTranslations('devices.detail.panel')
  if (poe?.usedWatts === undefined) return null
  const used = poe.usedWatts.toFixed(1)
  return (
    <span className="row" style={{ gap: 8 }}>
      {t('poe')}
      <b className="num" style={{ color: 'var(--text)' }}>
        {poe.budgetWatts === undefined ? t('poeUsed', { used }) : t('poeOf', { used, budget: poe.budgetWatts })}
      </b>
      {poe.budgetWatts !== undefined && poe.budgetWatts > 0 && (
        <span className="bar" style={{ inlineSize: 72 }}>
          <i
            style={{
              inlineSize: `${Math.min(100, (poe.usedWatts / poe.budgetWatts) * 100)}%`,
              background: 'var(--chart-2)',
            }}
          />
        </span>
      )}
    </span>
  )
}

function PortCard({ port }: { port: FrontPort | undefined }) {
  const t = useTranslations('devices.detail.panel')
  if (!port) return null
  const { face, neighbour } = port
  const up = face?.up === true
  const said = (value: number | undefined) => value ?? null
  return (
    <>
      <div className="row">
        <b>{t('port', { number: port.number })}</b>
        <span className="muted xs">{face?.alias || port.label}</span>
        <span className="end">
          <Status state={port.look === 'unknown' ? 'unknown' : up ? 'online' : 'offline'}>{port.word}</Status>
        </span>
      </div>
      <KeyValues
        rows={[
          up && [
            t('speed'),
            <Maybe key="s" value={said(face?.speed)}>
              {value => <Speed value={value} />}
            </Maybe>,
          ],
          neighbour !== undefined && [
            t('neighbour'),
            <span key="n">
              {neighbour.systemName ?? neighbour.chassisId} <span className="muted">{t('by')}</span>
            </span>,
          ],
          port.port.nativeVlan !== undefined && [t('vlan'), <Vlans key="v" port={port} />],
          port.port.poe !== undefined && [t('poe'), <Poe key="p" port={port} />],
          up && [
            t('traffic'),
            <span key="t" className="row" style={{ gap: 10, justifyContent: 'flex-end' }}>
              <Maybe value={face?.inBps}>{value => <Bits value={value} />}</Maybe>
              <Maybe value={face?.outBps}>{value => <Bits value={value} />}</Maybe>
            </span>,
          ],
          face?.counters?.inErrors !== undefined && [
            t('errors'),
            <Count key="e" value={face.counters.inErrors + (face.counters.outErrors ?? 0)} />,
          ],
        ]}
      />
    </>
  )
}

function Vlans({ port: { port } }: { port: FrontPort }) {
  const t = useTranslations('devices.detail.panel')
  const tagged = (port.taggedVlans ?? []).filter(vlan => vlan !== port.nativeVlan)
  const shown = tagged.length > 8 ? [...tagged.slice(0, 8), '…'] : tagged
  return (
    <>
      {t('untagged', { vlan: port.nativeVlan ?? '' })}
      {tagged.length > 0 && `; ${t('tagged', { vlans: shown.join(', ') })}`}
    </>
  )
}

function Poe({ port: { port } }: { port: FrontPort }) {
  const t = useTranslations('devices.detail.panel')
  const { poe } = port
  const state = poe?.state ?? (poe?.enabled === false ? 'disabled' : 'other')
  const words = [
    t(`poeState.${state}`),
    poe?.watts !== undefined && t('watts', { watts: poe.watts.toFixed(1) }),
    poe?.class !== undefined && t('class', { class: poe.class }),
  ]
  return words.filter(Boolean).join(', ')
}
