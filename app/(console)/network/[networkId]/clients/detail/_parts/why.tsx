'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { ClientChecks } from '@/app/_shared/client-check/client-checks'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'

/** Why is this client slow or offline? Asked by a press, and answered check by check. */
export function Why({ mac }: { mac: string }) {
  const t = useTranslations('clientCheck')
  const mayRun = useMay('troubleshooting_run')
  const [id, setId] = useState<string>()
  const { busy, run } = useSubmit<'run'>()
  if (!mayRun) return null
  const start = () =>
    void run('run', async () =>
      setId((await callApi('diagnostics/run', withNetwork({ request: { tool: 'client', mac } }) as never)).id),
    )
  if (id !== undefined) return <Answer id={id} onAgain={start} again={busy === 'run'} />
  return (
    <Card title={t('title')} pad className="client-why">
      <div className="row">
        <span className="soft grow">{t('intro')}</span>
        <Button icon="search" busy={busy === 'run'} onClick={start}>
          {t('start')}
        </Button>
      </div>
    </Card>
  )
}

function Answer({ id, onAgain, again }: { id: string; onAgain: () => void; again: boolean }) {
  const t = useTranslations('clientCheck')
  const reason = useReason()
  const { busy, run } = useSubmit<'stop'>()
  const call = useNetworkCall('diagnostics/result', { id }, { live: true, refreshMs: 1000, keep: false })
  const { data, error } = call
  const running = data?.state === 'running'
  const why = data?.failure && data.failure.reason !== 'missing' && data.failure.reason !== 'nameNotFound'
  const words = why && data?.failure ? reason(data.failure.reason as never) : undefined
  const stop = () => void run('stop', () => callApi('diagnostics/stop', withNetwork({ id })))
  return (
    <Card
      title={t('title')}
      className="client-why"
      footer={
        running ? (
          <Button icon="close" busy={busy === 'stop'} onClick={stop}>
            {t('cancel')}
          </Button>
        ) : (
          <Button icon="refresh" busy={again} onClick={onAgain}>
            {t('again')}
          </Button>
        )
      }
    >
      {!data && !error && <SkeletonLines lines={6} />}
      {!data && error && <ErrorState error={error} onRetry={() => void call.mutate()} />}
      {words && (
        <div className="padded">
          <Note tone="bad" title={words.title}>
            {words.advice}
          </Note>
        </div>
      )}
      {data?.state === 'cancelled' && <p className="padded">{t('canceled')}</p>}
      {data && !words && (
        <ClientChecks checks={data.figures?.tool === 'client' ? data.figures.checks : []} running={running} />
      )}
    </Card>
  )
}
