'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button, LinkButton } from '@/app/_ui/button'
import { Age } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { Badge } from '@/app/_ui/status'
import { Maybe, Speed } from '@/app/_ui/value'
import { Frame } from './frame'
import { LinkSample } from './legend'
import type { Chosen, LinkEnd, NamedLink, WiringNode } from './wiring'

type Props = {
  link: NamedLink
  nodes: ReadonlyMap<string, WiringNode>
  nameOf: (id: string) => string
  onChoose: (chosen: Chosen) => void
  onClose: () => void
}

/** One link: how certain it is and why, both ends side by side, and each piece of evidence with its age. */
export function LinkSide({ link, nodes, nameOf, onChoose, onClose }: Props) {
  const t = useTranslations('topology')
  const { upper, lower, certainty, extra, ssid } = link
  const endName = ({ node, port }: LinkEnd) =>
    port === undefined ? nameOf(node) : t('link.end', { name: nameOf(node), port })
  return (
    <Frame title={t('link.title', { upper: endName(upper), lower: endName(lower) })} onClose={onClose} about={link.key}>
      <div className="padded topo-told">
        <div className="row">
          <LinkSample certainty={certainty} extra={extra} />
          <Badge tone={certainty === 'certain' ? 'ok' : undefined}>{t(`certainty.${certainty}.name`)}</Badge>
          {extra && <Badge tone="info">{t('extra.name')}</Badge>}
        </div>
        <p className="soft">{t(`certainty.${certainty}.help`)}</p>
        {extra && <Note tone="info">{t('extra.help')}</Note>}
        {ssid !== undefined && <p>{ssid ? t('link.air', { ssid }) : t('link.someAir')}</p>}
      </div>
      {link.byHand && <ByHand {...link.byHand} />}
      <Ends {...{ upper, lower, endName }} />
      <Evidence link={link} nodes={nodes} nameOf={nameOf} />
      <EndLinks {...{ link, nodes, nameOf, onChoose }} />
    </Frame>
  )
}

/** Who set it, and the way to take that back. */
function ByHand({ id, account, at, uplink }: NonNullable<NamedLink['byHand']>) {
  const t = useTranslations('topology.hand')
  const mayEdit = useMay('devices_edit')
  const { busy, run } = useSubmit<'delete'>()
  const remove = () => run('delete', () => callApi('topology/links/delete', withNetwork({ ids: [id] })))
  return (
    <div className="padded topo-hand">
      <p>
        {t(uplink ? 'uplinkBy' : 'by', { account })}{' '}
        <span className="muted">
          <Age at={at} />
        </span>
      </p>
      {mayEdit && (
        <Button small icon="trash" busy={busy !== undefined} onClick={() => void remove()}>
          {t('remove')}
        </Button>
      )}
    </div>
  )
}

type EndRow = { key: string; label: string; cell: (end: LinkEnd) => ReactNode }

function Ends({ upper, lower, endName }: { upper: LinkEnd; lower: LinkEnd; endName: (end: LinkEnd) => string }) {
  const t = useTranslations('topology.link')
  const rows: EndRow[] = [
    { key: 'port', label: t('port'), cell: end => <Maybe value={end.port}>{port => port}</Maybe> },
    {
      key: 'speed',
      label: t('speed'),
      cell: end => <Maybe value={end.speed}>{speed => <Speed value={speed} />}</Maybe>,
    },
    {
      key: 'state',
      label: t('state'),
      cell: end => <Maybe value={end.up === undefined ? undefined : t(end.up ? 'up' : 'down')}>{word => word}</Maybe>,
    },
    {
      key: 'vlans',
      label: t('vlans'),
      cell: end => <Maybe value={end.vlans?.join(', ')}>{list => list || t('noVlans')}</Maybe>,
    },
  ]
  return (
    <table className="topo-ends" aria-label={t('ends')}>
      <thead>
        <tr>
          <td />
          <th scope="col">{endName(upper)}</th>
          <th scope="col">{endName(lower)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, cell }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>{cell(upper)}</td>
            <td>{cell(lower)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Known = { link: NamedLink; nodes: ReadonlyMap<string, WiringNode>; nameOf: (id: string) => string }

function Evidence({ link, nameOf }: Known) {
  const t = useTranslations('topology.evidence')
  return (
    <section className="topo-part">
      <h3>{t('label')}</h3>
      {link.evidence.length === 0 && <p className="muted">{t('none')}</p>}
      <ul className="topo-evidence">
        {link.evidence.map(({ kind, device, at }) => (
          <li key={`${kind} ${device}`}>
            <span>{t(kind, { name: nameOf(`d${device}`) })}</span>
            <span className="muted">
              <Age at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Ways to what stands at the ends. */
function EndLinks({ link, nodes, nameOf, onChoose }: Known & Pick<Props, 'onChoose'>) {
  const t = useTranslations('topology.link')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <div className="padded topo-acts">
      {[link.upper, link.lower].map(({ node: id }) => {
        const node = nodes.get(id)
        if (node?.kind === 'device')
          return (
            <LinkButton key={id} href={`/network/${networkId}/devices/detail?id=${node.shown.id}`} icon="devices">
              {t('open', { name: nameOf(id) })}
            </LinkButton>
          )
        return (
          <button key={id} type="button" className="button" onClick={() => onChoose({ node: id })}>
            {t('show', { name: nameOf(id) })}
          </button>
        )
      })}
    </div>
  )
}
