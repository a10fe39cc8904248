import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useNow } from '@/app/_ui/clock'
import type { MenuAction, MenuGroup } from '@/app/_ui/menu'
import { toast } from '@/app/_ui/toast'
import type { Asking, User } from './rows'

/** What can be done about a person, as a menu; where nothing can, why. `mfa`: a lost second factor may be taken away. */
export function useRowActions(ask: (asking: Asking) => void, mfa: boolean): (user: User) => MenuGroup[] {
  const t = useTranslations('users')
  const now = useNow(1000) ?? 0

  const act = async (work: Promise<unknown>, said: string) => {
    // A failure is told by a toast; the list stays as it is.
    const done = await work.then(
      () => true,
      () => false,
    )
    if (done) toast('ok', said)
  }
  const resend = async (user: User) => {
    const sent = await callApi('users/resend-invitation', { id: user.id }).catch(() => undefined)
    if (sent?.link) ask({ what: 'link', user, link: sent.link })
    else if (sent) toast('ok', t('invited', { name: user.account }))
  }
  const byState = (user: User): MenuAction[] => {
    const { id, account: name } = user
    const left = Math.ceil((user.resendFrom - now) / 1000)
    return [
      user.state === 'inactivated' && {
        label: left > 0 ? t('resendIn', { seconds: left }) : t('resend'),
        icon: 'refresh' as const,
        disabled: left > 0,
        onSelect: () => void resend(user),
      },
      user.lockedUntil > 0 && {
        label: t('unlock'),
        icon: 'key' as const,
        onSelect: () => void act(callApi('users/unlock', { id }), t('unlocked', { name })),
      },
      user.state === 'disabled' && {
        label: t('enable'),
        icon: 'check' as const,
        onSelect: () => void act(callApi('users/disable', { id, disabled: false }), t('enabled', { name })),
      },
      (user.state === 'active' || user.state === 'locked') && {
        label: t('disable'),
        icon: 'lock' as const,
        onSelect: () => ask({ what: 'disable', user }),
      },
      mfa &&
        user.mfa && { label: t('removeMfa'), icon: 'key' as const, onSelect: () => ask({ what: 'removeMfa', user }) },
    ].filter(action => action !== false)
  }
  return user => {
    if (user.why) return [{ title: t(`why.${user.why}`), actions: [] }]
    return [
      {
        actions: [{ label: t('edit'), icon: 'edit', onSelect: () => ask({ what: 'edit', user }) }, ...byState(user)],
      },
      { actions: [{ label: t('delete'), icon: 'trash', danger: true, onSelect: () => ask({ what: 'delete', user }) }] },
    ]
  }
}
