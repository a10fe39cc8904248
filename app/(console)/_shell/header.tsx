'use client'
import { useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { wordOr } from '@/app/_i18n/word'
import { IconButton } from '@/app/_ui/button'
import { useCrumbName } from '@/app/_ui/crumb'
import { Icon, iconOf } from '@/app/_ui/icon'
import { KeptLink } from '@/app/_ui/kept-link'
import { Link } from '@/app/_ui/link'
import { Logo } from '@/app/_ui/logo'
import { Menu } from '@/app/_ui/menu'
import { Glyph } from '@/app/_ui/status'
import { shownTheme, showTheme } from '@/app/_ui/theme'
import type { MenuItem } from '@/server/people/access/menu'
import { pathOf } from './menu-tree'
import { signOut } from './outcomes'
import { ShareMark } from './share-mark'
import type { ShellData, ShownNetwork } from './shell-data'

type Props = {
  data: ShellData
  trail: MenuItem[]
  network: ShownNetwork | null
  onJump: () => void
  onDrawer: () => void
}

export function Header({ data, trail, network, onJump, onDrawer }: Props) {
  const t = useTranslations('shell')
  return (
    <header className="top">
      <IconButton
        kind="ghost"
        icon="menu"
        label={t('menu')}
        className="only-phone"
        data-tour="menu"
        onClick={onDrawer}
      />
      <Link className="brand" href="/" aria-label={t('home')}>
        <Logo />
        <span>{t('product')}</span>
      </Link>
      <Crumbs trail={trail} network={network} />
      <div className="tools">
        <button type="button" className="search-global" aria-label={`${t('search')} Ctrl K`} onClick={onJump}>
          <Icon name="search" />
          <span>{t('search')} </span>
          <kbd className="key-cap">Ctrl K</kbd>
        </button>
        <Changes network={network?.id} />
        <ThemeMenu />
        <Link className="button ghost icon-only no-phone" href="/account/help" aria-label={t('help')} title={t('help')}>
          <Icon name="help" />
        </Link>
        <AccountMenu data={data} />
      </div>
    </header>
  )
}

/** How much is saved here and not yet on the devices; the way to look at it and push it. */
function Changes({ network }: { network: number | undefined }) {
  const t = useTranslations('shell')
  const may = useMay('devices')
  const { data } = useCall('changes/list', network === undefined || !may ? null : { networkId: network }, {
    live: true,
  })
  const count = Math.max(data?.total ?? 0, data?.devices.length ?? 0)
  if (network === undefined || count === 0) return null
  return (
    <Link className="changes" href={`/network/${network}/settings/review`} title={t('changesHelp')}>
      <Glyph shape="diamond" />
      <span className="number">{t('changes', { count })}</span>
    </Link>
  )
}

function Crumbs({ trail, network }: Pick<Props, 'trail' | 'network'>) {
  const t = useTranslations('shell')
  const names = useTranslations('menu')
  const detail = useCrumbName()
  const scoped = trail[0]?.pathId.includes('{n}')
  const own = trail[0]?.pathId.startsWith('/account/')
  const lead = scoped ? network?.name : names(own ? 'account' : 'organization')
  const hidden = trail.at(-1)?.hidden
  const shown = detail && hidden ? trail.slice(0, -1) : trail
  const steps: { text: string; href?: string }[] = shown.map(item => ({
    text: names(item.name),
    href: pathOf(item, network?.id ?? null),
  }))
  if (detail) steps.push({ text: detail })
  return (
    <nav className="crumbs" aria-label={t('breadcrumb')}>
      {lead && scoped && network ? (
        <KeptLink className="row" href={`/network/${network.id}/dashboard`}>
          {network.shareStatus > 0 && <ShareMark status={network.shareStatus} />}
          <span className="truncated">{lead}</span>
        </KeptLink>
      ) : (
        <span>{lead}</span>
      )}
      {steps.map(({ text, href }, at) => (
        <Fragment key={text}>
          <Icon name="right" size="sm" flip />
          {at === steps.length - 1 || !href ? (
            <b aria-current={at === steps.length - 1 ? 'page' : undefined}>{text}</b>
          ) : (
            <KeptLink href={href}>{text}</KeptLink>
          )}
        </Fragment>
      ))}
    </nav>
  )
}

const icons = ['display', 'sun', 'moon', 'contrast'] as const

function ThemeMenu() {
  const t = useTranslations('common.theme')
  const [, redraw] = useState(0)
  const choose = (appearance: number) => {
    showTheme(appearance)
    redraw(appearance)
    void callApi('account/save', { appearance }).catch(() => undefined)
  }
  const now = typeof document === 'undefined' ? 0 : shownTheme()
  return (
    <Menu
      trigger={<IconButton kind="ghost" icon="sun" label={t('title')} className="no-phone" />}
      groups={[
        {
          title: t('title'),
          actions: icons.map((icon, appearance) => ({
            label: wordOr(t, String(appearance)),
            icon,
            checked: appearance === now,
            onSelect: () => choose(appearance),
          })),
        },
      ]}
    />
  )
}

const initials = (name: string) =>
  name
    .split(/[\s._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => word[0]?.toUpperCase())
    .join('')

function AccountMenu({ data }: { data: ShellData }) {
  const t = useTranslations('shell')
  const names = useTranslations('menu')
  const name = data.account.username || data.account.account
  const pages = data.menus.filter(item => item.pathId.startsWith('/account/'))
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="avatar"
          data-tour="account"
          aria-label={`${initials(name)}, ${t('account', { name })}`}
        >
          {initials(name)}
        </button>
      }
      groups={[
        {
          title: (
            <span>
              <b>{name}</b>
              <br />
              {data.account.role}
            </span>
          ),
          actions: pages.map(item => ({ label: names(item.name), href: item.path, icon: iconOf(item.icon, 'user') })),
        },
        { actions: [{ label: t('signOut'), icon: 'signOut', onSelect: () => void signOut() }] },
      ]}
    />
  )
}
