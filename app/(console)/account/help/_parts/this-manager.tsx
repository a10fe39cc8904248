'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useStream } from '@/app/_api/events'
import { useCall } from '@/app/_api/use-call'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { DownloadButton } from '@/app/_ui/download-button'
import { Status } from '@/app/_ui/status'

/** `startedAt`: unix ms. */
export type ManagerFacts = { name: string; version: string; node: string; startedAt: number }

/** An answer takes a moment: below this the clocks agree. */
const apartSeconds = 5

/** Seconds by which the manager's clock is ahead of this computer's; 0 while they agree, undefined until it is known. */
function useClockGap(): number | undefined {
  const { data } = useCall('init-info', {})
  const [gap, setGap] = useState<number>()
  useEffect(() => {
    if (!data) return
    const seconds = Math.round((data.time - Date.now()) / 1000)
    setGap(Math.abs(seconds) < apartSeconds ? 0 : seconds)
  }, [data])
  return gap
}

/** Which manager this is, and how it stands to this browser. */
export function ThisManager({ facts, support }: { facts: ManagerFacts; support: boolean }) {
  const t = useTranslations('help.manager')
  const stream = useStream()
  const gap = useClockGap()
  const { data: place } = useCall('domain', {})
  return (
    <Card title={t('title')} pad>
      <div className="stack">
        <KeyValues
          rows={[
            [t('name'), facts.name],
            place !== undefined && [
              t('address'),
              <a key="address" className="ip" href={place.url}>
                {place.url}
              </a>,
            ],
            place !== undefined &&
              place.url !== place.origin && [
                t('addressHere'),
                <span key="here" className="ip">
                  {place.origin}
                </span>,
              ],
            [t('version'), `Lanward ${facts.version}`],
            ['Node.js', facts.node],
            [t('since'), <Moment key="since" at={facts.startedAt} />],
            [
              t('live'),
              <Status key="live" state={stream.live ? 'fine' : 'stale'}>
                {stream.live ? t('arriving') : t('stopped')}
              </Status>,
            ],
            gap !== undefined && [
              t('clock'),
              <Status key="clock" state={gap === 0 ? 'fine' : 'warning'}>
                {gap === 0 ? t('clockSame') : t(gap > 0 ? 'clockAhead' : 'clockBehind', { seconds: Math.abs(gap) })}
              </Status>,
            ],
          ]}
        />
        {support && (
          <>
            <p className="soft">{t('supportHelp')}</p>
            <div>
              <DownloadButton address="/app/exports/support">{t('support')}</DownloadButton>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}
