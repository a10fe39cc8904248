'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Icon } from '@/app/_ui/icon'
import { KeptLink } from '@/app/_ui/kept-link'
import { Link } from '@/app/_ui/link'
import { fold } from '@/app/_ui/listbox'
import { Popover } from '@/app/_ui/menu'
import { ShareMark } from './share-mark'

type Network = CallOutput<'networks/options'>['result'][number]
type Props = { network: { id: number; name: string } | null; authorities: readonly string[]; slim: boolean }

/** Which network the console shows: searched by name, narrowed by tags. */
export function NetworkPicker({ network, authorities, slim }: Props) {
  const t = useTranslations('shell.picker')
  const [open, setOpen] = useState(false)
  const { data } = useCall('networks/options', {}, { live: true })
  const own = data?.result.find(entry => entry.value === network?.id)
  const of = own?.shareStatus === 2 && t('of', { company: own.companies.join(', ') })
  const sub = own && [of, t('devices', { count: own.devices }), own.tags.map(tag => tag.tagName).join(', ')]
  const name = own?.label ?? network?.name ?? t('none')
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      className="list picker-popover"
      label={t('title')}
      trigger={
        <button type="button" className="picker" data-tour="networks" title={slim ? name : undefined}>
          <Icon name="networks" />
          <span className="visually-hidden">{t('title')}</span>
          <span className="grow">
            <span className="name truncated block">{name}</span>
            <span className="subline truncated block">{sub?.filter(Boolean).join(' · ') ?? ' '}</span>
          </span>
          <Icon name="updown" size="sm" />
        </button>
      }
    >
      <Choices networks={data?.result ?? []} chosen={network?.id} onDone={() => setOpen(false)} />
      <hr />
      {authorities.includes('organization_network_add') && (
        <Link className="menu-item" href="/organization/overview/form" onClick={() => setOpen(false)}>
          <Icon name="plus" size="sm" />
          {t('create')}
        </Link>
      )}
      {authorities.includes('organization_network') && (
        <KeptLink className="menu-item" href="/organization/network" onClick={() => setOpen(false)}>
          <Icon name="networks" size="sm" />
          {t('all')}
        </KeptLink>
      )}
    </Popover>
  )
}

function Choices({ networks, chosen, onDone }: { networks: readonly Network[]; chosen?: number; onDone: () => void }) {
  const t = useTranslations('shell.picker')
  const [typed, setTyped] = useState('')
  const [tag, setTag] = useState<number>()
  const tags = [...new Map(networks.flatMap(n => n.tags.map(own => [own.tagId, own.tagName] as const)))]
  const found = networks.filter(
    n => fold(n.label).includes(fold(typed)) && (tag === undefined || n.tags.some(own => own.tagId === tag)),
  )
  return (
    <>
      <div className="find">
        <Icon name="search" size="sm" />
        <input
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onChange={e => setTyped(e.target.value)}
        />
      </div>
      {tags.length > 0 && (
        <div className="row wrapping picker-tags">
          {tags.map(([id, name]) => (
            <button
              key={id}
              type="button"
              className={id === tag ? 'badge accent' : 'badge'}
              aria-pressed={id === tag}
              onClick={() => setTag(id === tag ? undefined : id)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {found.map(n => (
        <KeptLink
          key={n.value}
          className="menu-item"
          href={`/network/${n.value}/dashboard`}
          aria-current={n.value === chosen ? 'true' : undefined}
          onClick={onDone}
        >
          <span className="truncated">{n.label}</span>
          {n.shareStatus > 0 && <ShareMark status={n.shareStatus} />}
          {n.isDefault && <span className="badge">{t('default')}</span>}
          <span className="trail">{t('devices', { count: n.devices })}</span>
          {n.value === chosen && <Icon name="check" className="tick" />}
        </KeptLink>
      ))}
      {found.length === 0 && <p className="head">{t('noMatch')}</p>}
    </>
  )
}
