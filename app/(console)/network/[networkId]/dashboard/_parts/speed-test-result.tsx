import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { short } from '@/app/_ui/format'
import { Note } from '@/app/_ui/note'
import { Spark } from '@/app/_ui/spark'
import { EmptyState, ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { Bits, Unknown, Value } from '@/app/_ui/value'
import { codes } from '@/model/codes'
import { type Direction, directions, serverName } from '@/model/dashboard/speed-test'

type Result = CallOutput<'dashboard/speed-test/result'>

export const stateLooks = { running: 'running', done: 'note', failed: 'failed', cancelled: 'stale' } as const
/** From here on the processor, and not the line, decides. */
const busyPercent = 85

/** Why a test came to nothing, in words. */
export function useFailure(): (row: Pick<Result, 'failure'>) => string | undefined {
  const t = useTranslations('dashboard.speedTest.failures')
  const reason = useReason()
  return ({ failure }) => {
    if (!failure) return undefined
    const { reason: why, detail } = failure
    if (why === 'cutOff') return t('cutOff')
    if (why === 'missing') return t('missing', { detail })
    if (why === 'nameNotFound') return t('nameNotFound', { detail })
    if (detail === 'fileTooShort') return t('fileTooShort')
    const words = reason(why)
    return detail ? t('said', { ...words, detail }) : t('device', words)
  }
}

type Props = { id: string; onClose: () => void; onStart: (id: string) => void }

/** One test as it goes on, or as it went. */
export function SpeedTestResult({ id, onClose, onStart }: Props) {
  const t = useTranslations('dashboard.speedTest')
  const call = useNetworkCall('dashboard/speed-test/result', { id }, { live: true, refreshMs: 1000, keep: false })
  const { data, error } = call
  const close = <IconButton kind="ghost" small icon="close" label={t('result.close')} onClick={onClose} />
  const gone = error?.retCode === codes.jobNotFound
  if (data && !gone) return <Shown result={data} close={close} onStart={onStart} />
  return (
    <Card title={t('result.title')} meta={close}>
      {gone && <EmptyState slim title={t('result.gone')} />}
      {error && !gone && <ErrorState error={error} onRetry={() => call.mutate()} />}
      {!error && <SkeletonLines />}
    </Card>
  )
}

function Shown({ result, close, onStart }: { result: Result; close: ReactNode; onStart: Props['onStart'] }) {
  const t = useTranslations('dashboard.speedTest')
  const failure = useFailure()(result)
  const { state, figures, server, device, phase } = result
  const running = state === 'running'
  const slow = directions.some(one => (figures[one]?.cpuPercent ?? 0) >= busyPercent)
  return (
    <Card
      title={<bdi>{serverName(server)}</bdi>}
      mark={<Status state={stateLooks[state]}>{t(running ? `phases.${phase}` : `states.${state}`)}</Status>}
      meta={close}
      footer={<Acts result={result} onStart={onStart} />}
    >
      <p className="speed-test-about soft">
        {t('result.from', { place: device?.name ?? t('start.manager') })} · <bdi>{result.by}</bdi> ·{' '}
        <Moment at={result.createdAt} seconds />
      </p>
      {failure !== undefined && (
        <div className="padded">
          <Note tone="bad">{failure}</Note>
        </div>
      )}
      <dl className="speed-test-figures" aria-live="polite">
        <Latency result={result} />
        {directions.map(one => (
          <Speed key={one} direction={one} result={result} />
        ))}
      </dl>
      {slow && (
        <div className="padded">
          <Note tone="warn">{t('result.slow')}</Note>
        </div>
      )}
      {server.type === 'http' && state === 'done' && <p className="speed-test-about muted">{t('result.counted')}</p>}
    </Card>
  )
}

function Ms({ value }: { value: number | undefined }) {
  const locale = useLocale()
  return value === undefined ? <Unknown /> : <Value value={short(Math.round(value * 10) / 10, locale)} unit="ms" />
}

function Latency({ result }: { result: Result }) {
  const t = useTranslations('dashboard.speedTest.result')
  const { idle, download, upload } = result.figures
  const loaded = [download?.latencyMs, upload?.latencyMs].filter(one => one !== undefined)
  return (
    <div>
      <dt>{t('latency')}</dt>
      <dd>
        <Ms value={idle?.latencyMs} />
      </dd>
      {loaded.length > 0 && (
        <dd className="soft">
          {t('loaded')} <Ms value={Math.max(...loaded)} />
        </dd>
      )}
      {idle?.jitterMs !== undefined && (
        <dd className="soft">
          {t('jitter')} <Ms value={idle.jitterMs} />
        </dd>
      )}
    </div>
  )
}

/** What was measured, or while it is: the last second. */
function Speed({ direction, result }: { direction: Direction; result: Result }) {
  const t = useTranslations('dashboard.speedTest.result')
  const { figures, server, state, phase } = result
  const found = figures[direction]
  const now = state === 'running' && phase === direction
  const asked = server.type === 'iperf3' || server[direction] !== undefined
  const value = found?.bps ?? (now ? found?.rates.at(-1) : undefined)
  return (
    <div className={now ? 'now' : undefined}>
      <dt>{t(direction)}</dt>
      <dd>{value === undefined ? <Unknown /> : <Bits value={value} />}</dd>
      {found && found.rates.length > 1 && (
        <dd>
          <Spark values={found.rates} />
        </dd>
      )}
      {!asked && <dd className="soft">{t('notAsked')}</dd>}
    </div>
  )
}

function Acts({ result, onStart }: { result: Result; onStart: Props['onStart'] }) {
  const t = useTranslations('dashboard.speedTest.result')
  const mayTest = useMay('speed_test')
  const { busy, run } = useSubmit<'stop' | 'again'>()
  const { id, server, device, state } = result
  if (!mayTest) return null
  const stop = () => void run('stop', () => callApi('dashboard/speed-test/stop', withNetwork({ id })))
  const again = () =>
    void run('again', async () => {
      const input = withNetwork({ server, ...(device && { deviceId: device.id }) })
      onStart((await callApi('dashboard/speed-test/start', input)).id)
    })
  return state === 'running' ? (
    <Button icon="close" busy={busy === 'stop'} onClick={stop}>
      {t('stop')}
    </Button>
  ) : (
    <Button icon="refresh" busy={busy === 'again'} onClick={again}>
      {t('again')}
    </Button>
  )
}
