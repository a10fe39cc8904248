import { useLocale, useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { ClientChecks } from '@/app/_shared/client-check/client-checks'
import { KeyValues } from '@/app/_ui/card'
import { short } from '@/app/_ui/format'
import { Bits, Bytes, Count, Value } from '@/app/_ui/value'
import { Packets } from './packets'
import { type Figures, type FiguresOf, lossOf } from './rows'
import { useWords } from './use-words'

/** Wider than a phone, it scrolls sideways, by the keyboard, too. */
const scrolled = { tabIndex: 0 }

type Echoes = Omit<FiguresOf<'ping'>, 'tool'>

/** Names and values in a card that has no room around its content; no wider than they are read. */
const Pairs = (props: ComponentProps<typeof KeyValues>) => (
  <div className="diagnosis-pairs">
    <KeyValues {...props} />
  </div>
)

/** Milliseconds, where any were measured. */
function Ms({ value }: { value: number | undefined }) {
  const t = useTranslations('troubleshooting.figures')
  const locale = useLocale()
  if (value === undefined) return <span className="muted">{t('silent')}</span>
  return <Value value={short(value, locale)} unit={t('ms')} />
}

function Loss({ echoes }: { echoes: Echoes }) {
  const { t, percent } = useWords()
  const loss = lossOf(echoes)
  if (loss === undefined) return <span className="muted">{t('figures.noneSent')}</span>
  const { sent, received } = echoes
  return (
    <span className={loss > 0 ? 'status bad' : undefined}>
      {t('figures.lossOf', { percent: percent(loss), lost: sent - received, sent })}
    </span>
  )
}

function Ping({ figures }: { figures: FiguresOf<'ping'> }) {
  const t = useTranslations('troubleshooting.figures')
  const { minMs, avgMs, maxMs, jitterMs, received } = figures
  return (
    <Pairs
      rows={[
        [t('loss'), <Loss key="loss" echoes={figures} />],
        received > 0 && [t('avg'), <Ms key="avg" value={avgMs} />],
        received > 0 && [t('min'), <Ms key="min" value={minMs} />],
        received > 0 && [t('max'), <Ms key="max" value={maxMs} />],
        jitterMs !== undefined && [t('jitter'), <Ms key="jitter" value={jitterMs} />],
      ]}
    />
  )
}

function Path({ figures, running }: { figures: FiguresOf<'mtr' | 'traceroute'>; running: boolean }) {
  const { t, percent } = useWords()
  const { hops, reached, tool } = figures
  const rounds = tool === 'mtr'
  return (
    <>
      {hops.length > 0 && (
        <div className="table-scroll" {...scrolled}>
          <table className="data-table plain" aria-label={t('figures.title')}>
            <thead>
              <tr>
                <th className="numeric">{t('figures.hop')}</th>
                <th>{t('figures.address')}</th>
                {rounds && <th className="numeric">{t('figures.loss')}</th>}
                <th className="numeric">{t('figures.avg')}</th>
                {rounds && <th className="numeric">{t('figures.max')}</th>}
              </tr>
            </thead>
            <tbody>
              {hops.map(hop => {
                const loss = hop.address === undefined ? undefined : lossOf(hop)
                return (
                  <tr key={hop.hop}>
                    <td className="numeric">{hop.hop}</td>
                    <td>
                      {hop.address === undefined ? (
                        <span className="muted">{t('figures.silent')}</span>
                      ) : (
                        <bdi className="ip">{hop.address}</bdi>
                      )}
                    </td>
                    {rounds && <td className="numeric">{loss === undefined ? '–' : percent(loss)}</td>}
                    <td className="numeric">{hop.address === undefined ? '–' : <Ms value={hop.avgMs} />}</td>
                    {rounds && <td className="numeric">{hop.maxMs === undefined ? '–' : <Ms value={hop.maxMs} />}</td>}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {!running && (
        <p className="diagnosis-said">
          {hops.length === 0 ? t('figures.noHops') : t(reached ? 'figures.reached' : 'figures.notReached')}
        </p>
      )}
    </>
  )
}

const unanswered = { none: 'dnsNone', refused: 'dnsRefused', silent: 'dnsSilent' } as const

function Names({ figures: { state, answers, ms } }: { figures: FiguresOf<'dns'> }) {
  const t = useTranslations('troubleshooting.figures')
  if (state !== 'found') return <p className="diagnosis-said">{t(unanswered[state])}</p>
  return (
    <Pairs
      stacked
      rows={[
        [
          t('answers', { count: answers.length }),
          <ul key="answers" className="diagnosis-answers">
            {answers.map(answer => (
              <li key={answer}>
                <bdi>{answer}</bdi>
              </li>
            ))}
          </ul>,
        ],
        ms !== undefined && [t('took'), <Ms key="took" value={ms} />],
      ]}
    />
  )
}

function Neighbours({ figures: { neighbours } }: { figures: FiguresOf<'neighbours'> }) {
  const t = useTranslations('troubleshooting.figures')
  if (neighbours.length === 0) return <p className="diagnosis-said">{t('noNeighbours')}</p>
  return (
    <div className="table-scroll" {...scrolled}>
      <table className="data-table plain" aria-label={t('title')}>
        <thead>
          <tr>
            <th>{t('address')}</th>
            <th>{t('mac')}</th>
            <th>{t('interface')}</th>
            <th>{t('state')}</th>
          </tr>
        </thead>
        <tbody>
          {neighbours.map(one => (
            <tr key={`${one.address} ${one.interface}`}>
              <td>
                <bdi className="ip">{one.address}</bdi>
              </td>
              <td>{one.mac ? <bdi className="ip">{one.mac}</bdi> : <span className="muted">{t('silent')}</span>}</td>
              <td>{one.interface ?? '–'}</td>
              <td>{one.state ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Port({ figures: { state, ms } }: { figures: FiguresOf<'port'> }) {
  const t = useTranslations('troubleshooting.figures')
  return (
    <>
      <p className="diagnosis-said">{t(`port.${state}`)}</p>
      {ms !== undefined && <Pairs rows={[[t('took'), <Ms key="took" value={ms} />]]} />}
    </>
  )
}

function Throughput({ figures }: { figures: FiguresOf<'iperf3'> }) {
  const t = useTranslations('troubleshooting.figures')
  const { bps, bytes, seconds, resent, rates } = figures
  const last = rates.at(-1)
  if (bps === undefined && last === undefined) return null
  return (
    <Pairs
      rows={[
        bps !== undefined && [t('throughput'), <Bits key="bps" value={bps} />],
        bps === undefined && last !== undefined && [t('throughputNow'), <Bits key="now" value={last} />],
        rates.length > 1 && [t('slowest'), <Bits key="slowest" value={Math.min(...rates)} />],
        bytes !== undefined && [t('received'), <Bytes key="bytes" value={bytes} />],
        seconds !== undefined && [t('lasted'), <Value key="s" value={String(Math.round(seconds))} unit="s" />],
        resent !== undefined && [t('resent'), <Count key="resent" value={resent} />],
      ]}
    />
  )
}

/** What a test measured, as its kind is read best. */
export function FiguresView({ figures, running }: { figures: Figures; running: boolean }) {
  if (figures.tool === 'ping') return <Ping figures={figures} />
  if (figures.tool === 'dns') return <Names figures={figures} />
  if (figures.tool === 'neighbours') return <Neighbours figures={figures} />
  if (figures.tool === 'port') return <Port figures={figures} />
  if (figures.tool === 'iperf3') return <Throughput figures={figures} />
  if (figures.tool === 'capture') return <Packets figures={figures} running={running} />
  if (figures.tool === 'client') return <ClientChecks checks={figures.checks} running={running} />
  return <Path figures={figures} running={running} />
}
