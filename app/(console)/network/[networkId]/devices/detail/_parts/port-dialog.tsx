'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button, LinkButton } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { Skeleton } from '@/app/_ui/states'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { kinds } from '@/model/registry'
import { reviewPath, useWaiting } from './configuration'
import type { DeviceInfo } from './device-info'
import type { FrontPort } from './panel-ports'
import { PortFacts, PortState } from './port-facts'
import { PortProfileDialog } from './port-profile-dialog'
import type { PortRow } from './rows'

type Props = { info: DeviceInfo; port: FrontPort; onClose: () => void }

/** One port: what it is, who hangs on it, and which profile it has. */
export function PortDialog({ info, port, onClose }: Props) {
  const t = useTranslations('devices.detail.ports')
  const { networkId } = useParams<{ networkId: string }>()
  const [changing, setChanging] = useState(false)
  const call = useNetworkCall(
    'devices/switch/ports',
    { deviceId: info.id, interface: port.key },
    { live: true, keep: false },
  )
  const waiting = useWaiting(info)
  const mayChange = useMay('settings_profiles_edit')
  const row = call.data?.result[0]
  if (changing && row) return <PortProfileDialog info={info} ports={[row]} onClose={() => setChanging(false)} />
  const footer = (
    <>
      <Button onClick={onClose}>{t('close')}</Button>
      {waiting?.modified && <LinkButton href={reviewPath(networkId)}>{t('review')}</LinkButton>}
      {mayChange && call.data?.settable && (
        <Button kind="primary" onClick={() => setChanging(true)}>
          {t('change')}
        </Button>
      )}
    </>
  )
  return (
    <Dialog open onClose={onClose} title={t('one', { number: port.number, name: port.label })} footer={footer}>
      <div className="row">
        <PortState port={port} />
        <span className="soft">{port.face?.alias}</span>
      </div>
      <PortFacts port={port} />
      <h3 className="-mb-2">{t('profile')}</h3>
      {row ? <Profiles row={row} /> : <Skeleton />}
      <h3 className="-mb-2">{t('clients')}</h3>
      {row ? <Behind row={row} device={info.id} /> : <Skeleton />}
    </Dialog>
  )
}

/** The profile's name with a way to it, and whether it is this port's by the switch's own row. */
export function Profiles({ row }: { row: PortRow }) {
  const t = useTranslations('devices.detail.ports')
  const { networkId } = useParams<{ networkId: string }>()
  if (row.profiles.length === 0) return <span className="muted">{t('none')}</span>
  return row.profiles.map(({ id, name, own }) => (
    <span key={id} className="row">
      <ScreenLink needs="settings_profiles" href={`/network/${networkId}/${kinds.portProfile.form}?id=${id}`}>
        {name}
      </ScreenLink>
      <span className="muted fine-print">{own ? t('ofSwitch') : t('ofProfile')}</span>
    </span>
  ))
}

function Behind({ row: { clients, first, name }, device }: { row: PortRow; device: number }) {
  const t = useTranslations('devices.detail.ports')
  const { networkId } = useParams<{ networkId: string }>()
  if (clients === undefined) return <span className="muted">{t('clientsUnknown')}</span>
  if (clients === 0) return <span className="muted">{t('noClients')}</span>
  const query = new URLSearchParams({ device: String(device), port: name })
  return (
    <>
      <ul className="grid gap-1">
        {first.map(({ mac, address, name: known, vlan }) => (
          <li key={`${mac} ${vlan}`} className="row wrapping">
            <ScreenLink needs="clients" className="medium" href={`/network/${networkId}/clients/detail?id=${mac}`}>
              <bdi>{known ?? address ?? <span className="mac">{mac.toUpperCase()}</span>}</bdi>
            </ScreenLink>
            {known !== undefined && address !== undefined && <span className="ip soft">{address}</span>}
            {vlan !== undefined && <span className="muted fine-print">{t('inVlan', { vlan })}</span>}
          </li>
        ))}
        {clients > first.length && <li className="muted">{t('more', { count: clients - first.length })}</li>}
      </ul>
      <ScreenLink needs="clients" href={`/network/${networkId}/clients?${query}`}>
        {t('allClients')}
      </ScreenLink>
    </>
  )
}
