'use client'
import { useLocale, useTranslations } from 'next-intl'
import { KeyValues } from '@/app/_ui/card'
import { linkSpeed } from '@/app/_ui/format'
import { Status } from '@/app/_ui/status'
import { Bits, Count, Maybe, Speed } from '@/app/_ui/value'
import type { PortLook } from '@/app/(console)/network/[networkId]/devices/detail/_parts/front-panel'
import type { FrontPort } from './panel-ports'

/** What is said of a port's link in a word. */
export function usePortWord() {
  const t = useTranslations('devices.detail.panel')
  const locale = useLocale()
  return (look: PortLook, speed?: number) => {
    if (look === 'off') return t('link.disabled')
    if (look === 'none') return t('link.down')
    if (look === 'unknown') return t('link.unknown')
    if (speed === undefined) return t('link.up')
    const { value, unit } = linkSpeed(speed, locale)
    return `${value} ${unit}`
  }
}

export function PortState({ port: { look, face, word } }: { port: FrontPort }) {
  const state = look === 'unknown' ? 'unknown' : face?.up ? 'online' : 'offline'
  return <Status state={state}>{word}</Status>
}

/** What the card at a port says. */
export function PortCard({ port }: { port: FrontPort | undefined }) {
  const t = useTranslations('devices.detail.panel')
  if (!port) return null
  return (
    <>
      <div className="row">
        <b>{t('port', { number: port.number })}</b>
        <span className="muted fine-print">{port.face?.alias || port.label}</span>
        <span className="end">
          <PortState port={port} />
        </span>
      </div>
      <PortFacts port={port} />
    </>
  )
}

/** Speed, neighbour, VLANs, power and traffic, as far as the device tells them. */
export function PortFacts({ port }: { port: FrontPort }) {
  const t = useTranslations('devices.detail.panel')
  const { face, neighbour } = port
  const up = face?.up === true
  const said = (value: number | undefined) => value ?? null
  return (
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
  )
}

export function Vlans({ port: { port } }: { port: FrontPort }) {
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

/** Watts that a device of a PoE class may ask for, by class (specification 2-rules.md section 9). */
const poeClassWatts: readonly number[] = [15, 4, 7, 15, 30]

export function Poe({ port: { port } }: { port: FrontPort }) {
  const t = useTranslations('devices.detail.panel')
  const { poe } = port
  const state = poe?.state ?? (poe?.enabled === false ? 'disabled' : 'unknown')
  const power = poeClassWatts[poe?.class ?? -1]
  const words = [
    t(`poeState.${state}`),
    poe?.watts !== undefined && t('watts', { watts: poe.watts.toFixed(1) }),
    poe?.class !== undefined &&
      t(power === undefined ? 'class' : 'classPower', { class: poe.class, watts: power ?? 0 }),
  ]
  return words.filter(Boolean).join(', ')
}
