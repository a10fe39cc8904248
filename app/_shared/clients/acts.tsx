'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { IconButton } from '@/app/_ui/button'
import { Menu, type MenuAction } from '@/app/_ui/menu'
import { BlockDialog, UnblockDialog } from './block'
import { IconDialog, WatchDialog } from './choose-icon'
import { type Client, clientIcon, shownName } from './client'
import { ForgetDialog, RenameDialog } from './dialogs'
import { FixedDialog } from './fixed'
import { KickDialog } from './kick'
import { LimitDialog } from './limit'
import { ReleaseDialog } from './release'
import { TimeDialog } from './time'

export type Act =
  | 'rename'
  | 'kick'
  | 'block'
  | 'unblock'
  | 'limit'
  | 'time'
  | 'fixed'
  | 'release'
  | 'icon'
  | 'watch'
  | 'unwatch'
  | 'forget'
export type Acting = { client: Client; what: Act }

type Acts = { what: Act; action: Omit<MenuAction, 'onSelect'> }[]

/** What the viewer may do with a client, in the order of a menu. */
export function useClientActs(client: Client): Acts {
  const t = useTranslations('clients')
  const mayEdit = useMay('clients_edit')
  const mayBlock = useMay('settings_firewall_edit')
  const mayFix = useMay('settings_lan_edit')
  const mayLimit = useMay('settings_traffic_edit')
  const can: Record<Act, boolean> = {
    rename: mayEdit,
    kick: mayEdit && client.can?.kick === true,
    block: mayBlock && !client.blocked,
    unblock: mayBlock && client.blocked !== undefined,
    limit: mayLimit,
    time: mayBlock,
    fixed: mayFix,
    release: mayFix && client.address?.includes('.') === true,
    icon: mayEdit,
    watch: mayEdit && !client.watched,
    unwatch: mayEdit && client.watched === true,
    forget: mayEdit && !client.online,
  }
  const acts: Acts = [
    { what: 'rename', action: { label: t('rename.action'), icon: 'edit' } },
    { what: 'icon', action: { label: t('icon.action'), icon: clientIcon(client) } },
    { what: 'watch', action: { label: t('watch.action'), icon: 'alerts' } },
    { what: 'unwatch', action: { label: t('watch.off'), icon: 'alerts' } },
    { what: 'kick', action: { label: t('kick.action'), icon: 'power' } },
    { what: 'block', action: { label: t('block.action'), icon: 'block' } },
    { what: 'unblock', action: { label: t('block.undo'), icon: 'check' } },
    { what: 'limit', action: { label: t('limit.action'), icon: 'updown' } },
    { what: 'time', action: { label: t('time.action'), icon: 'clock' } },
    { what: 'fixed', action: { label: t('fixed.action'), icon: 'lock' } },
    { what: 'release', action: { label: t('release.action'), icon: 'undo', danger: true } },
    { what: 'forget', action: { label: t('forget.action'), icon: 'trash', danger: true } },
  ]
  return acts.filter(({ what }) => can[what])
}

/** What a client's page has buttons for; the others are in the menu beside them, or a phone would be too narrow. */
export const mainActs: readonly Act[] = ['rename', 'block', 'unblock', 'forget']

type MenuProps = { client: Client; onAct: (what: Act) => void; besides?: readonly Act[] }

/** The menu at the end of a client's row; `besides`: what has a button of its own there. */
export function ClientMenu({ client, onAct, besides = [] }: MenuProps) {
  const t = useTranslations('clients')
  const acts = useClientActs(client).filter(({ what }) => !besides.includes(what))
  if (acts.length === 0) return null
  return (
    <Menu
      trigger={<IconButton small kind="ghost" icon="more" label={t('more', { name: shownName(client) })} />}
      groups={[{ actions: acts.map(({ what, action }) => ({ ...action, onSelect: () => onAct(what) })) }]}
    />
  )
}

type ActsProps = { acting: Acting | undefined; onClose: (changed: boolean) => void }

/** The question of what was chosen. */
export function ClientActs({ acting, onClose }: ActsProps) {
  if (!acting) return null
  const { client, what } = acting
  if (what === 'rename') return <RenameDialog client={client} onClose={onClose} />
  if (what === 'forget') return <ForgetDialog client={client} onClose={onClose} />
  if (what === 'fixed') return <FixedDialog client={client} onClose={onClose} />
  if (what === 'release') return <ReleaseDialog client={client} onClose={onClose} />
  if (what === 'icon') return <IconDialog clients={[client]} onClose={onClose} />
  if (what === 'watch' || what === 'unwatch')
    return <WatchDialog client={client} on={what === 'watch'} onClose={onClose} />
  if (what === 'limit') return <LimitDialog client={client} onClose={onClose} />
  if (what === 'time') return <TimeDialog client={client} onClose={onClose} />
  if (what === 'kick') return <KickDialog clients={[client]} onClose={onClose} />
  if (what === 'block') return <BlockDialog clients={[client]} onClose={onClose} />
  return <UnblockDialog client={client} onClose={onClose} />
}
