'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useWhy } from '@/app/_api/use-why'
import { wordOr } from '@/app/_i18n/word'
import { pushLooks } from '@/app/_shared/push-looks'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Progress } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { FoundRunning } from './found-running'

type Push = CallOutput<'devices/push/result'>
type PushedDevice = Push['devices'][number]

const running = ['queued', 'pushing', 'confirming']
const shares: Record<string, number> = { queued: 0, pushing: 0.35, confirming: 0.7 }

/** The setup is finished; the SSID is on its way to the devices, and this tells how that goes. */
export function Finished({ job, networkId }: { job: string; networkId: number }) {
  const t = useTranslations('wizard.finished')
  const { data, error, mutate } = useCall('devices/push/result', { jobId: job }, { refreshMs: 1000 })
  const devices = data?.devices ?? []
  const open = !data || devices.some(device => running.includes(device.state))
  const back = devices.filter(device => device.state === 'reverted' || device.state === 'failed').length
  return (
    <div className="wizard-body one">
      <main className="wizard-main">
        <h1>{t('title')}</h1>
        <p>{open ? t('pushing') : back > 0 ? t('someBack') : t('done')}</p>
        <div className="stack">
          <Card>
            {!data && error && <ErrorState error={error} onRetry={() => mutate()} />}
            {!data && !error && <SkeletonLines />}
            {devices.map(device => (
              <Row key={device.deploymentId} device={device} />
            ))}
          </Card>
          {!open && back > 0 && (
            <Note tone="warn" title={t('kept')}>
              {t('keptMore')}
            </Note>
          )}
          {!open && <FoundRunning networkId={networkId} />}
        </div>
      </main>
      <footer className="wizard-foot">
        <span className="muted fine-print no-phone">{open ? t('mayLeave') : ''}</span>
        <span className="end" />
        <LinkButton kind="primary" href="/">
          {t('open')}
        </LinkButton>
      </footer>
    </div>
  )
}

function Row({ device }: { device: PushedDevice }) {
  const t = useTranslations('wizard.finished')
  const why = useWhy()
  const { state, reason, detail, values, remainingSeconds } = device
  return (
    <div className="summary-row" role="status">
      <span className="grow">
        <span className="medium">{device.name}</span> <span className="ip muted fine-print">{device.address}</span>
      </span>
      <span className="progress">
        {running.includes(state) ? (
          <>
            {remainingSeconds !== undefined && (
              <span className="fine-print soft">{t('reverts', { seconds: remainingSeconds })}</span>
            )}
            <Progress share={shares[state]} label={wordOr(t, `state.${state}`, state)} />
          </>
        ) : (
          <span className="fine-print soft">{why(reason, detail, values)}</span>
        )}
      </span>
      <Status state={pushLooks[state] ?? 'unknown'}>{wordOr(t, `state.${state}`, state)}</Status>
    </div>
  )
}
