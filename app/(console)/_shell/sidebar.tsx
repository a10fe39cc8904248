'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useStream } from '@/app/_api/events'
import { useReach } from '@/app/_api/reach'
import { IconButton } from '@/app/_ui/button'
import { Icon, iconOf } from '@/app/_ui/icon'
import { KeptLink } from '@/app/_ui/kept-link'
import { Pressed } from '@/app/_ui/link'
import { Tooltip } from '@/app/_ui/menu'
import { Status } from '@/app/_ui/status'
import type { MenuItem } from '@/server/people/access/menu'
import { pathOf } from './menu-tree'
import { NetworkPicker } from './network-picker'
import type { ShellData } from './shell-data'

type Props = {
  data: ShellData
  trail: MenuItem[]
  network: { id: number; name: string } | null
  slim: boolean
  onSlim: () => void
  /** Drawn as the phone's drawer. */
  drawer?: boolean
  unread: number
}

export function Sidebar({ data, trail, network, slim, onSlim, drawer, unread }: Props) {
  const t = useTranslations('shell')
  const names = useTranslations('menu')
  const stream = useStream()
  const { lostAt } = useReach()
  const live = stream.live && lostAt === 0
  const shown = data.menus.filter(item => !item.hidden && !item.pathId.startsWith('/account/'))
  const scoped = shown.filter(item => item.pathId.includes('{n}'))
  const rest = shown.filter(item => !item.pathId.includes('{n}'))
  const list = (items: MenuItem[]) =>
    items.map(item => (
      <Entry key={item.menuId} item={item} trail={trail} network={network?.id ?? null} slim={slim} unread={unread} />
    ))
  return (
    <nav className={drawer ? 'side drawer-side' : 'side'} aria-label={t('main')}>
      <NetworkPicker network={network} authorities={data.authorities} slim={slim} />
      {network && list(scoped)}
      {rest.length > 0 && <div className="group">{names('organization')}</div>}
      {list(rest)}
      <div className="foot">
        <Status state={live ? 'online' : 'stale'} label={live ? t('live') : t('notLive')} />
        <span className="truncated">{t('managerVersion', { name: data.manager, version: data.version })}</span>
        {!drawer && (
          <IconButton
            small
            kind="ghost"
            icon="sidebar"
            flip
            label={slim ? t('unfold') : t('fold')}
            aria-expanded={!slim}
            onClick={onSlim}
          />
        )}
      </div>
    </nav>
  )
}

type EntryProps = { item: MenuItem; trail: MenuItem[]; network: number | null; slim: boolean; unread: number }

function Entry({ item, trail, network, slim, unread }: EntryProps) {
  const names = useTranslations('menu')
  const t = useTranslations('shell')
  const children = item.children.filter(child => !child.hidden)
  const inside = trail[0]?.menuId === item.menuId
  const [opened, setOpened] = useState<boolean>()
  const open = opened ?? inside
  const name = names(item.name)
  const content = (
    <>
      <Icon name={iconOf(item.icon, 'file')} />
      <span className={slim ? 'visually-hidden' : undefined}>{name}</span>
    </>
  )
  if (children.length === 0 || slim) {
    const target = children[0] ?? item
    const link = (
      <KeptLink
        className={inside ? 'nav on' : 'nav'}
        href={pathOf(target, network)}
        aria-current={inside ? 'page' : undefined}
      >
        {content}
        <Pressed />
        {item.menuId === 'alerts' && unread > 0 && (
          <span className="unread" role="img" aria-label={t('unread', { count: unread })}>
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </KeptLink>
    )
    return slim ? (
      <Tooltip text={name} side>
        {link}
      </Tooltip>
    ) : (
      link
    )
  }
  return (
    <>
      <button type="button" className="nav" aria-expanded={open} onClick={() => setOpened(!open)}>
        {content}
        <Icon name="right" size="sm" flip={!open} className={open ? 'end open' : 'end'} />
      </button>
      {open && (
        <div className="subnav">
          {children.map(child => {
            const on = trail.some(entry => entry.menuId === child.menuId)
            return (
              <KeptLink
                key={child.menuId}
                className={on ? 'nav on' : 'nav'}
                href={pathOf(child, network)}
                aria-current={on ? 'page' : undefined}
              >
                <span>{names(child.name)}</span>
                <Pressed />
              </KeptLink>
            )
          })}
        </div>
      )}
    </>
  )
}
