import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Answers } from '@/app/_api/answers'
import { preload, type Wanted } from '@/server/door/preload'
import {
  bandwidth,
  clientsCount,
  deviceTiles,
  health,
  recentAlerts,
  topClients,
  topDevices,
} from '@/server/insight/dashboard/calls'
import { guideOf } from '@/server/manager/guide/steps'
import { pageSession } from '@/server/people/sign-in/page-session'
import { Dashboard } from './_parts/dashboard'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('dashboard'))('title') }
}

/** What the parts ask for when they begin, with their inputs. */
const asked: readonly Wanted[] = [
  [deviceTiles],
  [health],
  [clientsCount, { range: '1d' }],
  [bandwidth, { range: '1d' }],
  [topDevices, { range: '1d', most: 7 }],
  [topClients, { most: 5 }],
  [recentAlerts, { most: 6 }],
]

type Props = { params: Promise<{ networkId: string }> }

export default async function DashboardPage({ params }: Props) {
  const network = Number((await params).networkId)
  const page = await pageSession()
  return (
    <Answers of={await preload(page, network, asked)}>
      <Dashboard guide={page.session && guideOf(page.runtime, page.session.actor)} />
    </Answers>
  )
}
