import { useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'
import type { StateName } from '@/app/_ui/status'
import type { User } from './rows'

/** How a user's state is drawn. */
export const looks = {
  active: 'fine',
  inactivated: 'queued',
  locked: 'warning',
  disabled: 'offline',
} as const satisfies Record<User['state'], StateName>

/** What a role is called: built-in ones have words, the organization's own a name. */
export function useRoleName(): (id: string, name: string) => string {
  const t = useTranslations('roles.builtIn')
  return (id, name) => wordOr(t, id, name || id)
}

/** What a role is for, in a sentence. */
export function useRoleAbout(): (id: string) => string {
  const t = useTranslations('roles.about')
  const own = useTranslations('users.roles')
  return id => wordOr(t, id, own('about'))
}
