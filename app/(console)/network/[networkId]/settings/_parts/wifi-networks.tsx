'use client'
import { useTranslations } from 'next-intl'
import { useContext, useMemo } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Zone } from '@/app/_form/device-zone'
import { NextChange } from '@/app/_form/next-change'
import { scheduleStanding } from '@/app/_form/schedule-next'
import { SettingsList, type SettingsListProps, type SettingsRow } from '@/app/_form/settings-list'
import { clientsOn } from '@/app/_shared/clients/client'
import { IconButton } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Icon } from '@/app/_ui/icon'
import { Status } from '@/app/_ui/status'
import { Bytes, Count } from '@/app/_ui/value'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { useJoin } from './join'

type Now = CallOutput<'wifi/ssids/list'>['result'][number]

/** So often the figures are asked for anew: the access points are polled once a minute. */
const refreshMs = 20_000

/** The Wi-Fi networks of a network, with how they do now. */
export function WifiNetworks(props: SettingsListProps) {
  const { mayEdit, networkId } = props
  const columns = useNowColumns(networkId)
  const t = useTranslations('wifi.ssid.join')
  const { open, dialog } = useJoin()
  const more = useMemo(() => {
    const join: Column<SettingsRow> = {
      key: 'join',
      label: t('column'),
      cell: ({ id, damaged }) =>
        !damaged && <IconButton small kind="ghost" icon="qr" label={t('action')} onClick={() => void open(id)} />,
    }
    return mayEdit ? [...columns, join] : columns
  }, [t, mayEdit, columns, open])
  return (
    <>
      <SettingsList {...props} more={more} />
      {dialog}
    </>
  )
}

function useNowColumns(networkId: number): Column<SettingsRow>[] {
  const t = useTranslations('wifi.ssid.now')
  const may = useMay('devices')
  const { data } = useNetworkCall('wifi/ssids/list', may ? {} : null, { refreshMs })
  const { data: lans } = useNetworkCall('settings/vlans/list', {})
  return useMemo(() => {
    const found = new Map(data?.result.map(one => [one.id, one]))
    const names = new Map(lans?.result.map(one => [one.vlan, one.name]))
    const lan: Column<SettingsRow> = {
      key: 'vlan',
      label: t('lan'),
      cell: ({ vlan }) => vlan !== undefined && (names.get(Number(vlan)) ?? t('vlan', { vlan: Number(vlan) })),
    }
    const state: Column<SettingsRow> = {
      key: 'enabled',
      label: t('state'),
      cell: row => <State row={row} now={found.get(row.id)} />,
      sort: true,
      fixed: true,
      phone: 'state',
    }
    return may ? [state, ...figures(t, found, networkId), lan] : [lan]
  }, [data, lans, may, t, networkId])
}

type Say = ReturnType<typeof useTranslations<'wifi.ssid.now'>>

/** What it does now: empty where nobody tells. */
const figures = (t: Say, found: ReadonlyMap<string, Now>, networkId: number): Column<SettingsRow>[] => [
  {
    key: 'clients',
    label: t('clients'),
    numeric: true,
    cell: ({ id, name }) => (
      <Figure
        value={found.get(id)?.clients}
        draw={value => (
          <ScreenLink needs="clients" href={clientsOn(String(networkId), String(name))}>
            <Count value={value} />
          </ScreenLink>
        )}
      />
    ),
    phone: 'key',
    phoneUnit: t('clientsUnit'),
  },
  {
    key: 'serving',
    label: t('serving'),
    numeric: true,
    cell: ({ id, enabled }) => {
      const { serving, of = 0 } = found.get(id) ?? {}
      return enabled !== false && serving !== undefined && of > 0 && t('servingOf', { serving, of })
    },
  },
  {
    key: 'traffic',
    label: t('traffic'),
    numeric: true,
    cell: ({ id }) => {
      const { downOctets, upOctets } = found.get(id) ?? {}
      if (downOctets === undefined || upOctets === undefined) return null
      return (
        <span className="wifi-traffic" title={t('trafficHelp')}>
          <Icon name="arrowDown" size="sm" />
          <Bytes value={downOctets} />
          <Icon name="arrowUp" size="sm" />
          <Bytes value={upOctets} />
        </span>
      )
    },
    until: 1180,
  },
]

const Figure = ({ value, draw }: { value: number | undefined; draw: (value: number) => React.ReactNode }) =>
  value === undefined ? null : draw(value)

/** On or off, by whom, and whether any access point has it. */
function State({ row, now }: { row: SettingsRow; now: Now | undefined }) {
  const t = useTranslations('wifi.ssid.now')
  const zone = useContext(Zone)
  const at = useNow()
  if (row.enabled === false) return <Status state="offline">{t('off')}</Status>
  if (now?.hours && at !== undefined && !scheduleStanding(now.hours, at, zone).on)
    return (
      <span className="grid py-1.5">
        <Status state="offline">{t('scheduled')}</Status>
        <NextChange times={now.hours} />
      </span>
    )
  if (now && now.of === 0) return <Status state="warning">{t('nowhere')}</Status>
  if (now && now.serving === 0) return <Status state="warning">{t('unreached')}</Status>
  return <Status state="fine">{t('on')}</Status>
}
