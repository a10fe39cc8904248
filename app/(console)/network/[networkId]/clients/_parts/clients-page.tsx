'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { type Acting, ClientActs, ClientMenu } from '@/app/_shared/clients/acts'
import { useClientColumns } from '@/app/_shared/clients/columns'
import { Button, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { DownloadButton } from '@/app/_ui/download-button'
import { Icon } from '@/app/_ui/icon'
import { PageHead } from '@/app/_ui/page-head'
import { Picker } from '@/app/_ui/picker'
import { EmptyState } from '@/app/_ui/states'
import { type Table, useTable } from '@/app/_ui/use-table'
import { BlockedClients } from './blocked'
import { ClientsBulk, useMayBulk } from './bulk'

const shows = ['connected', 'wifi', 'wired', 'offline', 'blocked'] as const
type Show = (typeof shows)[number]
type Seen = Exclude<Show, 'blocked'>

const inputOf: Record<Seen, { state: 0 | 1; wifi?: boolean }> = {
  connected: { state: 1 },
  wifi: { state: 1, wifi: true },
  wired: { state: 1, wifi: false },
  offline: { state: 0 },
}

const shownOf = ({ state }: Table): Show => shows.find(one => one === state.filters.show) ?? 'connected'

/** Everything that is connected to the network, and what was lately. */
export function ClientsPage() {
  const t = useTranslations('clients')
  const chosen = useTable()
  const mayBlock = useMay('settings_firewall')
  const show = shownOf(chosen)
  if (show !== 'blocked') return <SeenClients chosen={chosen} show={show} />
  if (!mayBlock) return <SeenClients chosen={chosen} show="connected" />
  return (
    <>
      <PageHead title={t('title')}>
        <BlockListButton />
      </PageHead>
      <Chips table={chosen} show={show} counts={undefined} />
      <BlockedClients table={{ ...chosen, filtered: chosen.state.search !== '' }} />
    </>
  )
}

function BlockListButton() {
  const t = useTranslations('clients')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <LinkButton icon="block" href={`/network/${networkId}/settings/firewall?tab=blockedClient`}>
      {t('blockList')}
    </LinkButton>
  )
}

function SeenClients({ chosen, show }: { chosen: Table; show: Seen }) {
  const t = useTranslations('clients')
  const { networkId } = useParams<{ networkId: string }>()
  const router = useRouter()
  // What is shown is no filter: where nobody is, the list says so.
  const filtered = ['device', 'port', 'ssid'].some(key => chosen.state.filters[key])
  const table = { ...chosen, filtered: filtered || chosen.state.search !== '' }
  const { device, port, ssid } = table.state.filters
  const onDevice = /^[1-9]\d*$/.test(device ?? '') && { deviceId: Number(device), ...(port && { port }) }
  const place = { ...onDevice, ...(ssid && { ssid }) }
  const asked = { ...inputOf[show], ...place }
  const call = useNetworkCall('clients/list', { ...table.input, ...asked }, { live: true })
  const [acting, setActing] = useState<Acting>()
  const [selection, setSelection] = useState<string[]>([])
  const mayBulk = useMayBulk()
  const chosenOnes = call.data?.result.filter(one => selection.includes(one.mac)) ?? []
  const columns = useClientColumns({
    whole: true,
    left: show === 'offline',
    actions: client => <ClientMenu client={client} onAct={what => setActing({ client, what })} />,
  })
  const search = table.state.search
  const words = Object.entries(asked).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams({ networkId, ...Object.fromEntries(words), ...(search && { search }) })
  const exported = `/app/exports/clients?${query}`
  const mayExport = useMay('exports')
  const mayBlock = useMay('settings_firewall')
  return (
    <>
      <PageHead title={t('title')}>
        {mayBlock && <BlockListButton />}
        {mayExport && <DownloadButton address={exported}>{t('export')}</DownloadButton>}
      </PageHead>
      <Chips table={table} show={show} counts={call.data?.counts} />
      <DataTable
        id={show === 'offline' ? 'clients-offline' : 'clients'}
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={one => one.mac}
        open={one => router.push(`/network/${networkId}/clients/detail?id=${one.mac}`)}
        {...(mayBulk && { selection, onSelection: setSelection })}
        searchLabel={t('searchAll')}
        tools={<Places table={table} state={inputOf[show].state} />}
        chosen={onDevice && port && <OnPort port={port} onClear={() => table.change({ filters: { port: '' } })} />}
        empty={<Nobody show={show} />}
      />
      <ClientsBulk chosen={chosenOnes} onClear={() => setSelection([])} />
      <ClientActs acting={acting} onClose={() => setActing(undefined)} />
    </>
  )
}

/** Through which device, and on which SSID. */
function Places({ table, state }: { table: Table; state: 0 | 1 }) {
  const t = useTranslations('clients.places')
  const devices = useNetworkCall('clients/ap-options', { state }, { live: true })
  const ssids = useNetworkCall('clients/ssid-list', { state }, { live: true })
  const counted = (name: string, count: number) => t('choice', { name, count })
  const deviceChoices = (devices.data?.result ?? []).map(({ id, name, count }) => ({
    value: String(id),
    label: counted(name, count),
  }))
  const ssidChoices = (ssids.data?.result ?? []).map(({ ssid, count }) => ({
    value: ssid,
    label: counted(ssid, count),
  }))
  return (
    <>
      <Picker
        table={table}
        filter="device"
        label={t('device')}
        all={t('anyDevice')}
        choices={deviceChoices}
        // A port is one of the device before.
        onChoose={device => table.change({ filters: { device, port: '' } })}
      />
      {(ssidChoices.length > 0 || table.state.filters.ssid) && (
        <Picker table={table} filter="ssid" label={t('ssid')} all={t('anySsid')} choices={ssidChoices} />
      )}
    </>
  )
}

/** A device has many ports: one is come to from its dialog, and left here. */
function OnPort({ port, onClear }: { port: string; onClear: () => void }) {
  const t = useTranslations('clients.places')
  return (
    <div className="chosen">
      <Button small onClick={onClear} aria-label={t('clearPort', { port })}>
        <bdi>{t('port', { port })}</bdi>
        <Icon name="close" size="sm" />
      </Button>
    </div>
  )
}

function Nobody({ show }: { show: Seen }) {
  const t = useTranslations('clients.empty')
  return (
    <EmptyState icon="clients" title={t(show)}>
      {show === 'connected' && <span>{t('connectedHelp')}</span>}
      {show === 'offline' && <span>{t('offlineHelp')}</span>}
    </EmptyState>
  )
}

type Counts = { wifi: number; wired: number; offline: number }

function Chips({ table, show, counts }: { table: Table; show: Show; counts: Counts | undefined }) {
  const t = useTranslations('clients.states')
  const mayBlock = useMay('settings_firewall')
  const connected = show !== 'offline' && show !== 'blocked'
  const tallies: Record<Show, number | undefined> = {
    // What is connected is not asked for while the others are looked at.
    connected: connected ? counts && counts.wifi + counts.wired : undefined,
    wifi: connected ? counts?.wifi : undefined,
    wired: connected ? counts?.wired : undefined,
    offline: counts?.offline,
    blocked: undefined,
  }
  return (
    <fieldset className="state-bar" aria-label={t('label')}>
      {shows
        .filter(one => one !== 'blocked' || mayBlock)
        .map(one => (
          <button
            key={one}
            type="button"
            aria-pressed={one === show}
            onClick={() => table.change({ filters: { show: one === 'connected' ? '' : one }, sort: undefined })}
          >
            {one === 'wifi' && <Icon name="wifi" size="sm" />}
            {t(one)} {tallies[one] !== undefined && <span className="tally">{tallies[one]}</span>}
          </button>
        ))}
    </fieldset>
  )
}
