'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, LinkButton } from '@/app/_ui/button'
import { PageHead } from '@/app/_ui/page-head'
import { Picker } from '@/app/_ui/picker'
import { EmptyState, Loaded, SkeletonBlock } from '@/app/_ui/states'
import { type Table, useTable } from '@/app/_ui/use-table'
import { ExportMenu } from './export-menu'
import { FindNode } from './find-node'
import { layoutOf } from './layout'
import { LinkTable } from './link-table'
import { TopologyMap } from './map'
import { useNames } from './node-words'
import { Side } from './side'
import { usePins } from './use-pins'
import { type Chosen, namedLinks, type Wiring } from './wiring'
import './topology.css'

/** Neighbours and tables change without any news. */
const renewMs = 30_000

const narrow = '(max-width: 720px)'
const onNarrow = (changed: () => void) => {
  const query = window.matchMedia(narrow)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
const useNarrow = () =>
  useSyncExternalStore(
    onNarrow,
    () => window.matchMedia(narrow).matches,
    () => false,
  )

const views = ['map', 'list'] as const
type ViewName = (typeof views)[number]

/** How the network is wired: drawn, or as a list of links; what is chosen is told at the side. */
export function TopologyPage({ at }: { at: string | undefined }) {
  const t = useTranslations('topology')
  const table = useTable()
  const isNarrow = useNarrow()
  const view: ViewName = views.find(one => one === table.state.filters.view) ?? (isNarrow ? 'list' : 'map')
  const call = useNetworkCall('topology/get', {}, { live: true, swr: { refreshInterval: renewMs } })
  const svg = useRef<SVGSVGElement>(null)
  const waiting = (
    <section className="card">
      <SkeletonBlock height={420} />
    </section>
  )
  return (
    <>
      <PageHead title={t('title')}>
        <fieldset className="segments" aria-label={t('views.label')}>
          {views.map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={one === view}
              onClick={() => table.change({ filters: { view: one } })}
            >
              {t(`views.${one}`)}
            </button>
          ))}
        </fieldset>
        <VlanPicker table={table} />
        <ExportMenu svg={svg} wiring={call.data} drawn={view === 'map'} />
      </PageHead>
      <Loaded call={call} waiting={waiting}>
        {wiring => (wiring.nodes.length === 0 ? <NoDevices /> : <Whole {...{ svg, wiring, view, table }} start={at} />)}
      </Loaded>
    </>
  )
}

/** Which VLAN's links stand out. */
function VlanPicker({ table }: { table: Table }) {
  const t = useTranslations('topology.vlan')
  const { data } = useNetworkCall('topology/vlan-select', {}, { live: true })
  const vlans = data?.vlans ?? []
  if (vlans.length === 0 && !table.state.filters.vlan) return null
  const choices = vlans.map(({ id, links }) => ({ value: String(id), label: t('choice', { id, count: links }) }))
  return <Picker table={table} filter="vlan" label={t('label')} all={t('all')} choices={choices} />
}

function NoDevices() {
  const t = useTranslations('topology')
  const { networkId } = useParams<{ networkId: string }>()
  const mayAdd = useMay('devices_edit')
  return (
    <section className="card">
      <EmptyState icon="share" title={t('empty.title')}>
        <span>{t('empty.help')}</span>
        {mayAdd && <LinkButton href={`/network/${networkId}/devices/form`}>{t('empty.add')}</LinkButton>}
      </EmptyState>
    </section>
  )
}

type WholeProps = {
  svg: React.RefObject<SVGSVGElement | null>
  wiring: Wiring
  view: ViewName
  table: Table
  start: string | undefined
}

function Whole({ svg, wiring, view, table, start }: WholeProps) {
  const t = useTranslations('topology')
  const known = start !== undefined && wiring.nodes.some(node => node.id === start)
  const [chosen, setChosen] = useState<Chosen>(known ? { node: start } : undefined)
  const [goal, setGoal] = useState(known ? { node: start } : undefined)
  const nodes = useMemo(() => new Map(wiring.nodes.map(node => [node.id, node])), [wiring])
  const links = useMemo(() => namedLinks(wiring), [wiring])
  const auto = useMemo(() => layoutOf(wiring), [wiring])
  const { layout, move } = usePins(auto, wiring.places)
  const mayEdit = useMay('devices_edit')
  const [arranging, setArranging] = useState(false)
  const nameOf = useNames(nodes)
  const vlan = Number(table.state.filters.vlan) || undefined
  const go = (node: string) => {
    setChosen({ node })
    setGoal({ node })
  }
  return (
    <div className={chosen ? 'topo-layout with-side' : 'topo-layout'}>
      {view === 'map' ? (
        <section className="card topo-card" aria-label={t('views.map')}>
          <div className="filter-bar">
            <FindNode nodes={wiring.nodes} onFind={go} />
            {mayEdit && (
              <Button
                icon="grip"
                className={arranging ? 'on' : undefined}
                aria-pressed={arranging}
                onClick={() => setArranging(!arranging)}
              >
                {t('arrange.label')}
              </Button>
            )}
            {arranging && Object.keys(wiring.places).length > 0 && <ResetPlaces />}
            <span className="muted fine-print">
              {t('counts', { devices: wiring.nodes.length, links: wiring.links.length })}
            </span>
          </div>
          {wiring.links.length === 0 && <p className="topo-none soft">{t('noLinks')}</p>}
          {arranging && <p className="topo-none soft">{t('arrange.help')}</p>}
          <TopologyMap
            {...{ svg, nodes: wiring.nodes, links, layout, vlan, chosen, goal }}
            onChoose={setChosen}
            {...(arranging && { onMove: move })}
          />
        </section>
      ) : (
        <LinkTable {...{ links, nameOf, table, vlan }} onChoose={setChosen} />
      )}
      <Side {...{ nodes, links, chosen }} onChoose={setChosen} onGo={go} />
    </div>
  )
}

/** Gives all nodes back to the drawing, for everybody: asked first. */
function ResetPlaces() {
  const t = useTranslations('topology.arrange')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon="undo" onClick={() => setOpen(true)}>
        {t('reset')}
      </Button>
      <ActDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('resetTitle')}
        help={t('resetHelp')}
        action={t('reset')}
        call="topology/places/delete"
        input={withNetwork({})}
      />
    </>
  )
}
