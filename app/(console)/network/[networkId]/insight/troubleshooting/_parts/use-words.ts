import { useLocale, useTranslations } from 'next-intl'
import { useReason } from '@/app/_api/reason'
import { useVerdict } from '@/app/_shared/client-check/use-verdict'
import { short } from '@/app/_ui/format'
import { targetOf } from '@/model/troubleshooting/request'
import { type Figures, type FiguresOf, lossOf, type Row } from './rows'

/** Debian's packages of the programs that tests need. */
const packages: Readonly<Record<string, string>> = {
  ping: 'iputils-ping',
  traceroute: 'traceroute',
  nslookup: 'bind9-dnsutils',
}

/** Words for tests and for what came of them. */
export function useWords() {
  const t = useTranslations('troubleshooting')
  const locale = useLocale()
  const reason = useReason()
  const verdict = useVerdict()
  const nameOf = (row: Pick<Row, 'request' | 'figures'>) => {
    const { request, figures } = row
    // A client is known by its name, once it is known.
    const target = figures?.tool === 'client' ? figures.client : targetOf(row)
    const tool = t(`tools.${request.tool}`)
    return target ? t('result.label', { tool, target }) : tool
  }
  const placeOf = ({ device, request }: Pick<Row, 'device' | 'request'>) =>
    device?.name ?? t(request.tool === 'client' ? 'run.gateway' : 'run.manager')
  const percent = (value: number) => `${short(value, locale)} %`
  const failureOf = ({ failure }: Pick<Row, 'failure'>): string | undefined => {
    if (!failure) return undefined
    const { reason: why, detail } = failure
    if (why === 'missing' && detail.startsWith('iperf3 ')) return t('failures.missingPeer', { peer: detail.slice(7) })
    if (why === 'missing') return t('failures.missing', { detail, package: packages[detail] ?? detail })
    if (why === 'nameNotFound') return t('failures.nameNotFound', { detail })
    const words = reason(why)
    return detail ? t('failures.deviceSaid', { ...words, detail }) : t('failures.device', words)
  }
  const pingWords = (figures: FiguresOf<'ping'>) => {
    const loss = lossOf(figures)
    if (loss === undefined) return undefined
    const { avgMs } = figures
    return avgMs === undefined
      ? t('list.loss', { percent: percent(loss) })
      : t('list.lossAvg', { percent: percent(loss), ms: short(avgMs, locale) })
  }
  const hopWords = ({ hops, reached }: FiguresOf<'mtr' | 'traceroute'>) =>
    t(reached ? 'list.reached' : 'list.hops', { count: hops.length })
  const gists: { [T in Figures['tool']]: (figures: FiguresOf<T>) => string | undefined } = {
    client: ({ checks }) => verdict(checks),
    ping: pingWords,
    traceroute: hopWords,
    mtr: hopWords,
    dns: ({ state, answers }) =>
      state === 'found' ? t('list.answers', { count: answers.length }) : t(`list.${state}`),
    neighbours: ({ neighbours }) => t('list.neighbours', { count: neighbours.length }),
    iperf3: ({ bps }) => (bps === undefined ? undefined : t('list.mbits', { value: short(bps / 1e6, locale) })),
    capture: ({ packets }) => t('capture.count', { count: packets }),
    port: ({ state }) => t(`list.port.${state}`),
  }
  /** The gist of what was measured, in a few words; undefined while there is none. */
  const outcomeOf = ({ figures }: Pick<Row, 'figures'>): string | undefined =>
    figures && (gists[figures.tool] as (figures: Figures) => string | undefined)(figures)
  return { t, nameOf, placeOf, percent, failureOf, outcomeOf }
}
