'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { type Acting, ClientActs, ClientMenu, mainActs, useClientActs } from '@/app/_shared/clients/acts'
import { type Client, clientIcon, shownName } from '@/app/_shared/clients/client'
import { SignedIn } from '@/app/_shared/radius-sessions'
import { Button, LinkButton } from '@/app/_ui/button'
import { Crumb } from '@/app/_ui/crumb'
import { Icon } from '@/app/_ui/icon'
import { EmptyState, ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { codes } from '@/model/codes'
import { About, Connection } from './facts'
import { History } from './history'
import { Quality } from './quality'
import { Trail } from './trail'
import { Why } from './why'
import './client-detail.css'

/** One client: what it is, where it is connected, and its way through the network. */
export function ClientDetail({ mac }: { mac: string }) {
  const call = useNetworkCall('clients/info', { mac }, { live: true, keep: false })
  // Also of one that is forgotten while it is looked at.
  const unknown = call.error?.retCode === codes.clientNotFound || call.error?.retCode === codes.invalidInput
  if (unknown) return <Unknown />
  if (call.data) return <Detail client={call.data} />
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  return <SkeletonLines lines={6} />
}

function Unknown() {
  const t = useTranslations('clients')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <>
      <h1 className="visually-hidden">{t('label')}</h1>
      <EmptyState icon="clients" title={t('detail.gone')}>
        <span>{t('detail.goneHelp')}</span>
        <LinkButton href={`/network/${networkId}/clients`}>{t('detail.back')}</LinkButton>
      </EmptyState>
    </>
  )
}

function Detail({ client }: { client: CallOutput<'clients/info'> }) {
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const [acting, setActing] = useState<Acting>()
  const onClose = (changed: boolean) => {
    if (changed && acting?.what === 'forget') router.replace(`/network/${networkId}/clients`)
    setActing(undefined)
  }
  return (
    <>
      <Crumb name={shownName(client)} />
      <Head client={client} onAct={what => setActing({ client, what })} />
      <Quality health={client.health} />
      <Why mac={client.mac} />
      <div className="client-cards">
        <About client={client} />
        <Connection client={client} />
      </div>
      <History mac={client.mac} />
      <SignedIn mac={client.mac} />
      <Trail mac={client.mac} />
      <ClientActs acting={acting} onClose={onClose} />
    </>
  )
}

const shapes = { online: 'online', silent: 'stale', offline: 'offline' } as const

function Head({ client, onAct }: { client: Client; onAct: (what: Acting['what']) => void }) {
  const t = useTranslations('clients')
  const acts = useClientActs(client)
  const state = !client.online ? 'offline' : client.silent ? 'silent' : 'online'
  const maker = client.vendor ?? (client.private ? t('privateMac') : undefined)
  return (
    <div className="device-head">
      <span className="device-kind">
        <Icon name={clientIcon(client)} />
      </span>
      <div>
        <div className="row">
          <h1>{shownName(client)}</h1>
          <Badge state={shapes[state]}>{t(`detail.${state}`)}</Badge>
          {client.blocked && <Badge tone="bad">{t('blocked')}</Badge>}
        </div>
        <div className="muted">
          {[maker, client.address]
            .filter(part => part !== undefined)
            .map((part, at) => (
              <span key={part} className={part === client.address ? 'ip' : undefined}>
                {at > 0 && ' · '}
                {part}
              </span>
            ))}
        </div>
      </div>
      <div className="actions">
        {acts
          .filter(({ what }) => mainActs.includes(what))
          .map(({ what, action }) => (
            <Button
              key={what}
              icon={action.icon}
              kind={action.danger ? 'danger' : undefined}
              onClick={() => onAct(what)}
            >
              {action.label}
            </Button>
          ))}
        <ClientMenu client={client} onAct={onAct} besides={mainActs} />
      </div>
    </div>
  )
}
