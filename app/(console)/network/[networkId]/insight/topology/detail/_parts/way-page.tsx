'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Age } from '@/app/_ui/clock'
import { Crumb } from '@/app/_ui/crumb'
import { Link } from '@/app/_ui/link'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Maybe, Speed } from '@/app/_ui/value'
import { codes } from '@/model/codes'
import { type PlainColumn, PlainTable } from '../../../../devices/_parts/plain-table'
import { LinkSample } from '../../_parts/legend'
import { useNames } from '../../_parts/node-words'
import { type LinkEnd, readAt, speedOf } from '../../_parts/wiring'
import '../../_parts/topology.css'

type Way = CallOutput<'topology/uplink'>
type Step = Way['way'][number] & { step: number }

/** The links from one device towards the gateway, nearest first. */
export function WayPage({ device }: { device: number | undefined }) {
  const call = useNetworkCall('topology/uplink', device === undefined ? null : { deviceId: device }, {
    live: true,
    keep: false,
  })
  if (device === undefined || call.error?.retCode === codes.deviceNotFound) return <Gone />
  if (call.data) return <Known way={call.data} device={device} />
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  return <SkeletonLines lines={6} />
}

function Gone() {
  const t = useTranslations('topology.detail')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <EmptyState icon="share" title={t('gone')}>
        <span>{t('goneHelp')}</span>
        <LinkButton href={`/network/${networkId}/insight/topology`}>{t('back')}</LinkButton>
      </EmptyState>
    </>
  )
}

function Known({ way: { way, nodes }, device }: { way: Way; device: number }) {
  const t = useTranslations('topology.detail')
  const { networkId } = useParams<{ networkId: string }>()
  const byId = new Map(nodes.map(node => [node.id, node]))
  const own = byId.get(`d${device}`)
  const name = own?.kind === 'device' ? own.shown.name : ''
  const columns = useColumns(byId)
  const none = own?.kind === 'device' && own.gateway ? t('isGateway') : t('noWay')
  return (
    <>
      <Crumb name={name} />
      <PageHead title={name}>
        <LinkButton icon="share" href={`/network/${networkId}/insight/topology?view=map&at=d${device}`}>
          {t('map')}
        </LinkButton>
      </PageHead>
      <Card title={t('title')} meta={<span className="number">{way.length}</span>}>
        {way.length === 0 ? (
          <EmptyState slim title={none} />
        ) : (
          <PlainTable
            label={t('title')}
            columns={columns}
            rows={way.map((link, at) => ({ ...link, step: at + 1 }))}
            rowKey={row => String(row.step)}
          />
        )}
      </Card>
    </>
  )
}

function useColumns(byId: ReadonlyMap<string, Way['nodes'][number]>): PlainColumn<Step>[] {
  const t = useTranslations('topology')
  const { networkId } = useParams<{ networkId: string }>()
  const nameOf = useNames(byId)
  const end = ({ node: id, port }: LinkEnd): ReactNode => {
    const node = byId.get(id)
    return (
      <>
        {node?.kind === 'device' ? (
          <Link className="name" href={`/network/${networkId}/devices/detail?id=${node.shown.id}`}>
            {nameOf(id)}
          </Link>
        ) : (
          nameOf(id)
        )}{' '}
        {port !== undefined && <span className="muted">{t('side.port', { port })}</span>}
      </>
    )
  }
  return [
    { key: 'step', title: t('detail.step'), end: true, wideOnly: true, cell: ({ step }) => step },
    { key: 'from', title: t('detail.from'), cell: link => end(link.lower) },
    { key: 'to', title: t('detail.to'), cell: link => end(link.upper) },
    {
      key: 'speed',
      title: t('legend.speed'),
      end: true,
      cell: link => <Maybe value={speedOf(link)}>{speed => <Speed value={speed} />}</Maybe>,
    },
    {
      key: 'certainty',
      title: t('legend.certainty'),
      cell: ({ certainty }) => (
        <span className="row">
          <LinkSample certainty={certainty} />
          {t(`certainty.${certainty}.name`)}
        </span>
      ),
    },
    {
      key: 'read',
      title: t('list.read'),
      end: true,
      wideOnly: true,
      cell: link => {
        const at = readAt(link)
        return at === undefined ? null : <Age at={at} />
      },
    },
  ]
}
