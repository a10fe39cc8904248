'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { Link } from '@/app/_ui/link'
import { ErrorState } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { kinds } from '@/model/registry'
import { type Client, shownName } from './client'

type Props = { client: Client; onClose: (changed: boolean) => void }

/** A new limit for a client, its form filled, called as the client is. */
const newLimit = ({ mac, name }: Client): string =>
  `${kinds.timePolicy.form}?${new URLSearchParams({ mac, ...(name && { name }) })}`

/** The time limits about a client; one that has none is led to the form of a new one. */
export function TimeDialog({ client, onClose }: Props) {
  const t = useTranslations('clients.time')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const call = useNetworkCall('clients/info', { mac: client.mac })
  const { policies = [] } = call.data ?? {}
  const fresh = `/network/${networkId}/${newLimit(client)}`
  const none = call.data !== undefined && policies.length === 0
  useEffect(() => {
    if (none) router.push(fresh)
  }, [none, router, fresh])
  if (none || (!call.data && !call.error)) return null
  const isOwn = policies.some(one => one.own)
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={t('title', { name: shownName(client) })}
      {...(call.data && !isOwn && { footer: <LinkButton href={fresh}>{t('add')}</LinkButton> })}
    >
      {call.data ? (
        <>
          <ul className="plain-list">
            {policies.map(({ id, name, enabled, own }) => (
              <li key={id}>
                <Link href={`/network/${networkId}/${kinds.timePolicy.form}?id=${id}`}>
                  <bdi>{name}</bdi>
                </Link>{' '}
                {!enabled && <Badge>{t('off')}</Badge>}
                <div className="muted fine-print">{t(own ? 'own' : 'ssid')}</div>
              </li>
            ))}
          </ul>
          <p className="muted">{t(isOwn ? 'one' : 'before')}</p>
        </>
      ) : (
        call.error && <ErrorState error={call.error} onRetry={() => void call.mutate()} />
      )}
    </Dialog>
  )
}
