'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { SpeedTestChart } from './speed-test-chart'
import { SpeedTestForm } from './speed-test-form'
import { SpeedTestList } from './speed-test-list'
import { SpeedTestResult } from './speed-test-result'
import './speed-test.css'

/** How fast the internet is: a test against a server of one's choice, live, and those before. */
export function SpeedTestPage() {
  const t = useTranslations('dashboard.speedTest')
  const table = useTable()
  const mayTest = useMay('speed_test')
  const { open } = table.state.filters
  const show = (id: string | undefined) => table.change({ filters: id ? { open: id } : {} })
  return (
    <>
      <PageHead title={t('title')} />
      <div className="speed-test">
        {mayTest ? <Start onStart={show} /> : <Note tone="info">{t('mayNot')}</Note>}
        {open && <SpeedTestResult key={open} id={open} onClose={() => show(undefined)} onStart={show} />}
        <SpeedTestChart />
        <SpeedTestList table={table} onOpen={show} />
      </div>
    </>
  )
}

function Start({ onStart }: { onStart: (id: string) => void }) {
  const t = useTranslations('dashboard.speedTest')
  const call = useNetworkCall('dashboard/speed-test/servers', {})
  return (
    <Card title={t('start.title')} pad>
      <Loaded call={call} lines={4}>
        {places =>
          places.manager || places.devices.length > 0 ? (
            <SpeedTestForm places={places} onStart={onStart} />
          ) : (
            <EmptyState icon="globe" title={t('start.noPlaceTitle')}>
              <span className="soft">{t('start.noPlace')}</span>
            </EmptyState>
          )
        }
      </Loaded>
    </Card>
  )
}
