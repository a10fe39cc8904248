import type { BusEvent } from '@/server/kernel/bus'

type News = {
  /** Calls that make this news, where they succeed. */
  acts: readonly string[]
  /** Calls whose answers are old after it. */
  reads: readonly string[]
}

/**
 * What each kind of news is about; the server's topics come by the event stream, the others from this page alone.
 * `*` is one segment of a call's path, `**` any number. One table: a call made with `live` hears the topics that it
 * stands at, and what somebody does on this page renews the same calls, whether or not the stream is up.
 */
export const news = {
  devices: {
    acts: [
      ...['devices/**', 'groups/*', 'networks/device-import', 'credentials/*', 'import/*', 'clients/release'],
      'system-settings/ssh',
    ],
    reads: [
      ...['devices/list', 'devices/info', 'devices/event-log', 'devices/switch/ports', 'devices/*/result'],
      ...[
        'groups/*',
        'groups/password/result',
        'credentials/list',
        'clients/list',
        'clients/ap-options',
        'clients/ssid-list',
        'clients/info',
        'clients/monitor',
        'clients/lock/list',
        'networks/list',
        'changes/list',
      ],
      ...['changes/left-out/list', 'devices/left-out/*', 'wan/*', 'dhcp/leases'],
      ...['dashboard/devices', 'dashboard/clients-count', 'dashboard/top-clients', 'dashboard/health'],
      ...['dashboard/clients-pie', 'dashboard/clients-general', 'dashboard/wan-overview', 'dashboard/channel'],
      'dashboard/layout',
      ...['settings/targets', 'settings/sources', 'changelog/list', 'guide/get', 'wifi/*/*', 'topology/*'],
    ],
  },
  device: {
    acts: [],
    reads: [
      ...['devices/info', 'devices/event-log', 'dashboard/health', 'changes/list', 'changes/left-out/list'],
      ...['devices/left-out/*', 'topology/*'],
    ],
  },
  clients: {
    acts: [
      ...['clients/save', 'clients/clear', 'clients/kick', 'clients/block', 'clients/unblock', 'clients/limit'],
      ...['clients/icons/*', 'clients/subscribe', 'clients/fixed-address', 'clients/lock/remove'],
    ],
    reads: [
      ...['clients/list', 'clients/info', 'clients/setting', 'clients/roaming', 'changelog/list'],
      ...['clients/lock/list', 'clients/monitor'],
      ...['dashboard/top-clients', 'dashboard/clients-pie'],
    ],
  },
  discovery: { acts: [], reads: ['devices/discover/result'] },
  alerts: {
    acts: ['alerts/**'],
    reads: [
      'alerts/list',
      'alerts/ap-list',
      'alerts/unread',
      'alerts/detail',
      'alerts/config/query',
      'alerts/notice/query',
      'alerts/targets/list',
      'alerts/maintenance/list',
      'dashboard/alerts',
      'dashboard/alerts-overview',
    ],
  },
  push: {
    acts: ['devices/push', 'devices/config/*', 'changes/*', 'import/*'],
    reads: [
      ...['changes/list', 'changes/left-out/list', 'devices/left-out/*', 'dashboard/health'],
      ...['clients/lock/list', 'devices/push/result', 'devices/config/get', 'devices/config/history', 'import/list'],
      ...['changelog/list', 'guide/get', 'guests/announced/get'],
    ],
  },
  settings: {
    acts: [
      ...[
        'settings/**',
        'clients/*',
        'clients/lock/remove',
        'changes/*',
        'devices/config/*',
        'devices/switch/*',
        'changelog/revert',
      ],
      ...['certificates/*', 'radius/**'],
      ...['networks/global-ssid', 'guests/policy/save', 'guests/page/save', 'guests/ads/save', 'guests/files/upload'],
    ],
    reads: [
      'certificates/list',
      'guests/announced/get',
      'radius/get',
      'radius/sign-ins/list',
      'radius/sessions/list',
      ...['settings/*/list', 'settings/*/options', 'devices/push/preview'],
      ...['changes/list', 'changes/left-out/list', 'devices/left-out/*'],
      ...[
        'clients/list',
        'clients/info',
        'clients/lock/list',
        'devices/switch/ports',
        'changelog/list',
        'guide/get',
        'groups/business',
        'groups/check',
      ],
      'wifi/*/*',
    ],
  },
  networks: {
    acts: ['networks/**', 'companies/associate', 'companies/disassociate', 'session/set', 'session/clear'],
    reads: [
      ...[
        'networks/list',
        'networks/options',
        'networks/active',
        'networks/share/list',
        'networks/share/options',
        'networks/tags/list',
      ],
      ...['users/role', 'companies/list', 'changelog/list', 'guide/get'],
    ],
  },
  users: {
    acts: ['users/**', 'roles/*', 'companies/*', 'mfa/force'],
    reads: ['users/list', 'users/role', 'users/sign-ups/list', 'roles/*', 'companies/list', 'guide/get'],
  },
  sessions: {
    acts: [
      ...['sessions/*', 'ip-whitelist/add', 'ip-whitelist/update', 'ip-whitelist/delete'],
      ...['mfa/enable', 'mfa/disable', 'mfa/recovery-codes', 'code/generate-code'],
      ...['session/set', 'session/clear'],
      ...['account/save', 'account/password', 'account/email/*', 'account/security/save'],
    ],
    reads: [
      ...['sessions/list', 'users/list', 'account/info', 'account/security/get'],
      ...['auth/mfa-info', 'auth/password-notice', 'ip-whitelist/*'],
    ],
  },
  backups: {
    acts: ['backups/create', 'backups/delete', 'backups/verify', 'backups/schedule', 'backups/upload'],
    reads: ['backups/list', 'changelog/list', 'guide/get'],
  },
  vouchers: {
    acts: ['vouchers/**'],
    reads: [
      'vouchers/groups/list',
      'vouchers/groups/get',
      'vouchers/list',
      'vouchers/states',
      'vouchers/settings',
      'vouchers/groups/print/result',
      'vouchers/desk/find',
      'vouchers/desk/presets',
      'vouchers/templates/list',
    ],
  },
  mail: { acts: ['mail/*', 'system-settings/**'], reads: ['mail/list', 'system-settings/smtp', 'guide/get'] },
  webhooks: { acts: ['webhooks/**', 'account/password'], reads: ['webhooks/**', 'account/access'] },
  keys: { acts: ['developer-api/**', 'account/password'], reads: ['developer-api/**', 'account/access'] },
  changelog: { acts: ['changelog/**', 'wifi/ssids/join'], reads: ['changelog/**'] },
  certificate: { acts: ['manager/certificate/*'], reads: ['manager/certificate/get'] },
  directory: { acts: ['ldap/**'], reads: ['ldap/**'] },
  provider: { acts: ['saml/*', 'saml/roles/*'], reads: ['saml/*', 'saml/roles/*'] },
  guests: {
    acts: ['guests/*'],
    reads: ['guests/list', 'guests/blocked/list', 'vouchers/desk/find', 'dashboard/guest-counts'],
  },
  topology: { acts: ['topology/*/*'], reads: ['topology/*', 'changelog/list'] },
  dashboards: { acts: ['dashboard/save'], reads: ['dashboard/layout'] },
  logs: { acts: ['settings/logReception/save'], reads: ['logs/find', 'logs/status', 'logs/target'] },
  metrics: { acts: ['settings/metricsStore/save'], reads: ['metrics/status'] },
  diagnoses: {
    acts: ['diagnostics/*'],
    reads: ['diagnostics/list', 'diagnostics/result'],
  },
  feedback: { acts: ['feedback/*'], reads: ['feedback/*'] },
  guide: { acts: ['guide/*'], reads: ['guide/get'] },
} as const satisfies Record<
  Exclude<BusEvent['topic'], 'signedOut' | 'networkMoved' | 'networkGone' | 'vouchersChanged'>,
  News
> &
  Record<string, News>
export type Topic = keyof typeof news

/** Calls that ask, by the last word of their path, or the whole of it. */
const asks = new Set([
  ...['list', 'get', 'info', 'query', 'options', 'result', 'preview', 'compare', 'history', 'event-log', 'tree'],
  ...[
    'ports',
    'traffic',
    'usage',
    'unread',
    'current',
    'active',
    'item',
    'devices',
    'role',
    'types',
    'targets',
    'count',
  ],
  ...['sources', 'segments', 'smtp', 'download', 'device-types', 'business'],
  'diagnostics/places',
  'clients/ap-options',
  'clients/ssid-list',
  'clients/setting',
  'clients/monitor',
  'alerts/detail',
  'alerts/ap-list',
  'groups/check',
  'clients/roaming',
  'vouchers/settings',
  'vouchers/states',
  'vouchers/groups/print/file',
  'vouchers/desk/find',
  'vouchers/desk/presets',
  'vouchers/desk/code',
])

const fits = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  const open = wanted.at(-1) === '**'
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false
  return wanted.every((part, at) => part === '**' || part === '*' || part === given[at])
}
const at = (of: keyof News, path: string) =>
  Object.entries<News>(news).flatMap(([topic, one]) =>
    one[of].some(pattern => fits(pattern, path)) ? [topic as Topic] : [],
  )

/** After which news the answer of this call is old. */
export const topicsOf = (path: string): Topic[] => at('reads', path)

/** The news that a call makes where it succeeds; none for one that only asks. */
export const newsOf = (path: string): Topic[] =>
  asks.has(path) || asks.has(path.split('/').at(-1) ?? '') ? [] : at('acts', path)

/** Whoever shows one thing that is gone leaves: it is not asked for once more. */
const isGone = (act: string, read: string, input: object): boolean =>
  /\/(delete|move)$/.test(act) && /\/(get|info)$/.test(read) && Object.keys(input).some(key => key !== 'networkId')

/** Whether the answer to `read` with this input is old after `act` succeeded. */
export function isOldAfter(act: string, read: string, input: object = {}): boolean {
  const made = newsOf(act)
  return made.length > 0 && topicsOf(read).some(topic => made.includes(topic)) && !isGone(act, read, input)
}
