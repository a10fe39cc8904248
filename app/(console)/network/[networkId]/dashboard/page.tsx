import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Answers } from '@/app/_api/answers'
import type { TileId } from '@/model/dashboard/tiles'
import { preload, type Wanted } from '@/server/door/preload'
import { deviceTiles, health, recentAlerts } from '@/server/insight/dashboard/calls'
import {
  clientsCount,
  clientsGeneral,
  clientsPie,
  clientsStatistics,
  topClients,
} from '@/server/insight/dashboard/client-calls'
import { dashboardLayout, tilesOf } from '@/server/insight/dashboard/layout-calls'
import {
  bandwidth,
  channelTile,
  topDevices,
  topSsids,
  usageRealtime,
  wanOverview,
} from '@/server/insight/dashboard/traffic-calls'
import { topWebsites } from '@/server/insight/dashboard/website-calls'
import { guideOf } from '@/server/manager/guide/steps'
import { pageSession } from '@/server/people/sign-in/page-session'
import { Dashboard } from './_parts/dashboard'
import { type Range, rangeOf } from './_parts/ranges'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('dashboard'))('title') }
}

/** What each tile asks for when it begins, with its inputs. */
const askedBy = (range: Range): Partial<Record<TileId, Wanted[]>> => ({
  counts: [[clientsCount, { range }]],
  throughput: [[bandwidth, { range }], [usageRealtime]],
  attention: [[health]],
  alerts: [[recentAlerts, { most: 6 }]],
  wan: [[wanOverview]],
  clients: [[clientsPie]],
  clientsOverTime: [[clientsCount, { range }], [clientsStatistics, { range }], [clientsGeneral]],
  topDevices: [[topDevices, { range, most: 7 }]],
  topSsids: [[topSsids, { range, most: 7 }]],
  topClients: [[topClients, { most: 7 }]],
  topWebsites: [[topWebsites, { range, most: 7 }]],
  channels: [[channelTile]],
})

type Props = {
  params: Promise<{ networkId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function DashboardPage({ params, searchParams }: Props) {
  const network = Number((await params).networkId)
  const range = rangeOf((await searchParams).range)
  const page = await pageSession()
  const all = askedBy(range)
  const tiles = page.session ? tilesOf(page.runtime, page.session.actor, network) : []
  const asked = [[deviceTiles] as const, [dashboardLayout] as const, ...tiles.flatMap(({ id }) => all[id] ?? [])]
  return (
    <Answers of={await preload(page, network, asked)}>
      <Dashboard guide={page.session && guideOf(page.runtime, page.session.actor)} />
    </Answers>
  )
}
