'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { isCancelled } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import { Crumb } from '@/app/_ui/crumb'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Tabs, useTab } from '@/app/_ui/tabs'
import { toast } from '@/app/_ui/toast'
import { codes } from '@/model/codes'
import { deviceState } from '@/model/device-state'
import { AccessPoints } from './access-points'
import { Charts, type Now } from './charts'
import { Configuration, SafeChange } from './configuration'
import type { DeviceInfo } from './device-info'
import { Events } from './events'
import { Facts } from './facts'
import { Front } from './front'
import { Hardware } from './hardware'
import { Head } from './head'
import { Interfaces } from './interfaces'
import { Leases } from './leases'
import { Neighbours } from './neighbours'
import { Notices } from './notices'
import { OnDevice } from './on-device'
import { Ports } from './ports'
import { Radios } from './radios'
import { RebootNote, useReboot } from './reboot-watch'
import { RunsBeside } from './runs-beside'
import { DeviceVlans } from './vlans'
import { Wireless } from './wireless'
import './detail.css'

/** One device. Without `id`, or when it is gone, the list opens with the reason. */
type DetailProps = { id: number | undefined } & Pick<Props, 'own' | 'clients' | 'editable'>

export function DeviceDetail({ id, own, clients, editable }: DetailProps) {
  const t = useTranslations('devices.detail')
  const text = useFailureText()
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('devices/info', id === undefined ? null : { id }, {
    live: true,
    keep: false,
  })
  const { mutate } = call
  const onChanged = useCallback(() => void mutate(), [mutate])
  // Whoever forgets or replaces the device here need not be told that it is gone; the news may come before the answer.
  const ending = useRef(false)
  const onEnding = useCallback((on: boolean) => {
    ending.current = on
  }, [])
  const moved = call.error?.retCode === codes.deviceElsewhere
  const gone = id === undefined || moved || call.error?.retCode === codes.deviceNotFound
  const why = call.error && !isCancelled(call.error) ? text(call.error) : t('gone')
  useEffect(() => {
    if (!gone) return
    if (!ending.current) toast('bad', why)
    // Code 30012 leads home (specification 2-rules.md section 8.1); whoever moved it stays with the list.
    router.replace(moved && !ending.current ? '/' : `/network/${networkId}/devices`)
  }, [gone, moved, why, router, networkId])
  if (gone) return null
  if (call.data) return <Detail info={call.data} {...{ own, clients, editable, onChanged, onEnding }} />
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  return <SkeletonLines lines={6} />
}

const tabIds = [
  'overview',
  'ports',
  'vlans',
  'interfaces',
  'wireless',
  'accessPoints',
  'clients',
  'neighbours',
  'leases',
  'configuration',
  'device',
  'events',
] as const

/** Tabs of what the device has: a switch has no Wi-Fi tab. */
function tabsOf(info: DeviceInfo, maySeeClients: boolean): { id: (typeof tabIds)[number]; count?: number }[] {
  const { interfaces, ports, vlans, radios, bss, accessPoints, neighbours, leases } = info.reading
  const wireless = (radios?.length ?? 0) + (bss?.length ?? 0) > 0
  return [
    { id: 'overview' },
    ...(ports?.length ? [{ id: 'ports' as const, count: ports.length }] : []),
    ...(vlans?.length ? [{ id: 'vlans' as const, count: vlans.length }] : []),
    { id: 'interfaces', count: interfaces?.length },
    ...(wireless ? [{ id: 'wireless' as const, count: bss?.length }] : []),
    ...(accessPoints?.length ? [{ id: 'accessPoints' as const, count: accessPoints.length }] : []),
    ...(maySeeClients ? [{ id: 'clients' as const, count: info.clients }] : []),
    { id: 'neighbours', count: neighbours?.length },
    ...(leases ? [{ id: 'leases' as const, count: leases.length }] : []),
    ...(info.can.settings === 'none' ? [] : [{ id: 'configuration' as const }]),
    ...(info.can.import ? [{ id: 'device' as const }] : []),
    { id: 'events' },
  ]
}

type Props = {
  info: DeviceInfo
  /** Ways to the device's own settings. */
  own?: ReactNode
  clients?: ReactNode
  /** Kinds of settings that the viewer may change here. */
  editable: readonly string[]
  onChanged: () => void
  /** Somebody is about to take the device away from here, or decided not to. */
  onEnding: (on: boolean) => void
}

function Detail({ info, own, clients, editable, onChanged, onEnding }: Props) {
  const t = useTranslations('devices.detail')
  const wanted = useTab(tabIds)
  const reboot = useReboot(info.id, onChanged)
  const tabs = tabsOf(info, useMay('clients'))
  const tab = tabs.some(one => one.id === wanted) ? wanted : 'overview'
  const { reading, driver, id } = info
  return (
    <>
      <Crumb name={info.name} />
      <Head {...{ info, onChanged, onEnding }} onReboot={reboot.begin} />
      <RebootNote since={reboot.since} stage={reboot.stage} />
      <Notices info={info} onChanged={onChanged} />
      <Tabs label={t('label')} active={tab} tabs={tabs.map(one => ({ ...one, label: t(`tabs.${one.id}`) }))} />
      {tab === 'overview' && <Overview info={info} own={own} />}
      {tab === 'ports' && <Ports info={info} />}
      {tab === 'vlans' && <DeviceVlans vlans={reading.vlans ?? []} ports={reading.ports} driver={driver} />}
      {tab === 'interfaces' && <Interfaces info={info} />}
      {tab === 'wireless' && (
        <Wireless radios={reading.radios} bss={reading.bss} stations={reading.stations} driver={driver} />
      )}
      {tab === 'accessPoints' && <AccessPoints accessPoints={reading.accessPoints ?? []} driver={driver} />}
      {tab === 'clients' && clients}
      {tab === 'neighbours' && <Neighbours info={info} />}
      {tab === 'leases' && <Leases leases={reading.leases} driver={driver} />}
      {tab === 'configuration' && <Configuration info={info} />}
      {tab === 'device' && <OnDevice info={info} editable={editable} />}
      {tab === 'events' && <Events id={id} />}
    </>
  )
}

const nowOf = ({ reading: { health }, status, reason, clients, memoryPercent }: DeviceInfo): Now =>
  deviceState({ status, reason }) === 'online' ? { cpu: health?.cpuPercent, memory: memoryPercent, clients } : {}

function Overview({ info, own }: Pick<Props, 'info' | 'own'>) {
  const { reading } = info
  return (
    <div className="device-layout">
      <div className="stack">
        <Front info={info} />
        <Radios info={info} />
        <Charts id={info.id} now={nowOf(info)} />
        {(reading.neighbours?.length ?? 0) > 0 && <Neighbours info={info} />}
      </div>
      <aside className="stack">
        <RunsBeside info={info} />
        <Facts info={info} />
        <Hardware reading={reading} />
        <SafeChange info={info} />
        {info.can.import && own}
      </aside>
    </div>
  )
}
