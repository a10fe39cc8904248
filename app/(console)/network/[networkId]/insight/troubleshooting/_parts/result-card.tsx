import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { saveFile } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { useCheckLines } from '@/app/_shared/client-check/client-checks'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Moment, useClock } from '@/app/_ui/clock'
import { useCopy } from '@/app/_ui/copy'
import { DownloadButton } from '@/app/_ui/download-button'
import { Note } from '@/app/_ui/note'
import { EmptyState, ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { codes } from '@/model/codes'
import { FiguresView } from './figures'
import { type Result, stateLooks } from './rows'
import { useWords } from './use-words'

type Props = { id: string; onClose: () => void; onRun: (id: string) => void }

/** Packets of a capture, a line each; their times as in the file. */
const packetLines = ({ figures }: Result): string[] =>
  figures?.tool === 'capture'
    ? figures.rows.map(
        ({ at, source, destination, protocol, length, info }) =>
          `${(at / 1000).toFixed(6)} ${source || '–'} > ${destination || '–'} ${protocol} ${length} ${info}`,
      )
    : []

/** A result as text: what was done, from where, when, and every line. */
function useText(): (result: Result) => string {
  const { t, nameOf, placeOf, failureOf, outcomeOf } = useWords()
  const clock = useClock()
  const checkLines = useCheckLines()
  return result =>
    [
      nameOf(result),
      t('result.from', { place: placeOf(result) }),
      t('result.who', { who: result.by, when: clock.dateTime(result.createdAt) }),
      t(`states.${result.state}`),
      ...[failureOf(result) ?? outcomeOf(result)].filter(line => line !== undefined),
      '',
      ...packetLines(result),
      ...(result.figures?.tool === 'client' ? checkLines(result.figures.checks) : result.lines),
      ...(result.more > 0 ? [t('result.more', { count: result.more })] : []),
      '',
    ].join('\n')
}

/** One test as it goes on, or as it went. */
export function ResultCard({ id, onClose, onRun }: Props) {
  const t = useTranslations('troubleshooting')
  const call = useNetworkCall('diagnostics/result', { id }, { live: true, refreshMs: 1000, keep: false })
  const { data, error } = call
  const close = <IconButton kind="ghost" small icon="close" label={t('result.close')} onClick={onClose} />
  // The last answer stays beside a refusal: it may have been deleted while it is looked at.
  const gone = error?.retCode === codes.jobNotFound
  if (data && !gone) return <Shown result={data} close={close} onRun={onRun} />
  return (
    <Card title={t('result.title')} meta={close}>
      {gone && <EmptyState slim title={t('result.gone')} />}
      {error && !gone && <ErrorState error={error} onRetry={() => call.mutate()} />}
      {!error && <SkeletonLines />}
    </Card>
  )
}

function Shown({ result, close, onRun }: { result: Result; close: React.ReactNode; onRun: Props['onRun'] }) {
  const { t, nameOf, placeOf, failureOf } = useWords()
  const clock = useClock()
  const failure = failureOf(result)
  const { state, figures, lines, more } = result
  const running = state === 'running'
  return (
    <Card
      title={
        <>
          {nameOf(result)}
          {/* The same test twice, side by side: told apart by more than their place. */}
          <span className="visually-hidden"> {clock.dateTime(result.createdAt, true)}</span>
        </>
      }
      mark={<Status state={stateLooks[state]}>{t(`states.${state}`)}</Status>}
      meta={close}
      footer={<Acts result={result} onRun={onRun} />}
    >
      <p className="diagnosis-about soft">
        {t('result.from', { place: placeOf(result) })} · <bdi>{result.by}</bdi> ·{' '}
        <Moment at={result.createdAt} seconds />
      </p>
      {failure !== undefined && (
        <div className="padded">
          <Note tone="bad">{failure}</Note>
        </div>
      )}
      {state === 'cancelled' && <p className="diagnosis-said">{t('result.cancelledHelp')}</p>}
      {figures && <FiguresView figures={figures} running={running} />}
      {(result.request.tool !== 'client' || lines.length > 0) && (
        <Output lines={lines} more={more} running={running} label={nameOf(result)} />
      )}
    </Card>
  )
}

function Output({ lines, more, running, label }: Pick<Result, 'lines' | 'more'> & { running: boolean; label: string }) {
  const t = useTranslations('troubleshooting.result')
  if (lines.length === 0) return <p className="diagnosis-said muted">{t(running ? 'waiting' : 'noOutput')}</p>
  return (
    <div className="diagnosis-output">
      <h3>{t('output')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keys, too */}
      <pre tabIndex={0} role="log" aria-label={label} dir="ltr">
        {lines.join('\n')}
      </pre>
      {more > 0 && <p className="muted">{t('more', { count: more })}</p>}
    </div>
  )
}

function Acts({ result, onRun }: { result: Result; onRun: Props['onRun'] }) {
  const { t, nameOf } = useWords()
  const mayRun = useMay('troubleshooting_run')
  const mayExport = useMay('exports')
  const { networkId } = useParams<{ networkId: string }>()
  const copy = useCopy()
  const textOf = useText()
  const { busy, run } = useSubmit<'stop' | 'again'>()
  const { id, request, device, state } = result
  const stop = () => void run('stop', () => callApi('diagnostics/stop', withNetwork({ id })))
  const again = () =>
    void run('again', async () => {
      const input = withNetwork({ request, ...(device && { deviceId: device.id }) })
      onRun((await callApi('diagnostics/run', input)).id)
    })
  const file = () => {
    const name = nameOf(result).replace(/[^\w.-]+/g, '-')
    saveFile(`${name}.txt`, new Blob([textOf(result)], { type: 'text/plain' }))
  }
  return (
    <>
      {mayRun && state === 'running' && (
        <Button icon="close" busy={busy === 'stop'} onClick={stop}>
          {t('result.cancel')}
        </Button>
      )}
      {mayRun && state !== 'running' && (
        <Button icon="refresh" busy={busy === 'again'} onClick={again}>
          {t('result.again')}
        </Button>
      )}
      {result.figures?.tool === 'capture' && result.figures.packets > 0 && mayExport && mayRun && (
        <DownloadButton address={`/app/exports/capture?networkId=${networkId}&id=${id}`}>
          {t('capture.download')}
        </DownloadButton>
      )}
      <Button icon="copy" onClick={() => void copy(textOf(result))}>
        {t('result.copy')}
      </Button>
      <Button icon="download" onClick={file}>
        {t('result.download')}
      </Button>
    </>
  )
}
