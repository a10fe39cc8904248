import type { Authority } from './authority'

/**
 * What a new manager is set up by, in this order. `needs`: who may not do it does not see it; `{n}` in a path is the
 * network that they land in.
 */
export const firstSteps = [
  { id: 'network', needs: 'organization_network_add', path: '/organization/network' },
  { id: 'device', needs: 'devices_edit', path: '/network/{n}/devices/form' },
  { id: 'wifi', needs: 'settings_wifi_edit', path: '/network/{n}/settings/wifi/form' },
  { id: 'push', needs: 'devices_edit', path: '/network/{n}/settings/review' },
  { id: 'mfa', needs: 'account', path: '/account/settings' },
  { id: 'people', needs: 'organization_users_edit', path: '/organization/users' },
  { id: 'mail', needs: 'organization_mail_edit', path: '/organization/manager?tab=mail' },
  { id: 'backup', needs: 'organization_manager_edit', path: '/organization/manager?tab=backups' },
] as const satisfies readonly { id: string; needs: Authority; path: string }[]
export type FirstStep = (typeof firstSteps)[number]['id']

/** An account's `guideStep`: 0 to 2 stops of the tour that were seen, 3 it was finished or skipped (specification section 4), 4 the list of first steps was put away, too. */
export const guideSteps = { start: 0, seen: 3, away: 4 } as const
