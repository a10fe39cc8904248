import type { Topic } from '@/server/kernel/call'

/**
 * Calls whose answers are old after news about each topic; `*` is one segment of a call's path, `**` any number. A call made
 * with `live` hears the topics that it stands at from the event stream, and what somebody does on this page renews the same
 * calls, whether or not the stream is up: by the topics that come with the answer of the call that was made.
 */
export const news: Readonly<Record<Topic, readonly string[]>> = {
  devices: [
    'devices/list',
    'devices/info',
    'devices/power/info',
    'devices/event-log',
    'devices/switch/ports',
    'devices/*/result',
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
    'changes/left-out/list',
    'devices/left-out/*',
    'wan/*',
    'dhcp/leases',
    'dashboard/devices',
    'dashboard/clients-count',
    'dashboard/top-clients',
    'dashboard/health',
    'dashboard/clients-pie',
    'dashboard/clients-general',
    'dashboard/wan-overview',
    'dashboard/channel',
    'dashboard/layout',
    'settings/targets',
    'settings/sources',
    'changelog/list',
    'guide/get',
    'wifi/*/*',
    'topology/*',
  ],
  device: [
    'devices/info',
    'devices/power/info',
    'devices/event-log',
    'dashboard/health',
    'changes/list',
    'changes/left-out/list',
    'devices/left-out/*',
    'topology/*',
  ],
  clients: [
    'clients/list',
    'clients/info',
    'clients/setting',
    'clients/roaming',
    'changelog/list',
    'clients/lock/list',
    'clients/monitor',
    'dashboard/top-clients',
    'dashboard/clients-pie',
  ],
  discovery: ['devices/discover/result'],
  alerts: [
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
  push: [
    'changes/list',
    'changes/left-out/list',
    'devices/left-out/*',
    'dashboard/health',
    'clients/lock/list',
    'devices/push/result',
    'devices/config/get',
    'devices/config/history',
    'import/list',
    'changelog/list',
    'guide/get',
    'guests/announced/get',
  ],
  settings: [
    'certificates/list',
    'guests/announced/get',
    'radius/get',
    'radius/sign-ins/list',
    'radius/sessions/list',
    'settings/*/list',
    'settings/*/options',
    'devices/push/preview',
    'changes/list',
    'changes/left-out/list',
    'devices/left-out/*',
    'clients/list',
    'clients/info',
    'clients/lock/list',
    'devices/switch/ports',
    'changelog/list',
    'guide/get',
    'groups/business',
    'groups/check',
    'wifi/*/*',
  ],
  networks: [
    'networks/list',
    'networks/options',
    'networks/active',
    'networks/share/list',
    'networks/share/options',
    'networks/tags/list',
    'users/role',
    'companies/list',
    'changelog/list',
    'guide/get',
  ],
  users: ['users/list', 'users/role', 'users/sign-ups/list', 'roles/*', 'companies/list', 'guide/get'],
  sessions: [
    'sessions/list',
    'users/list',
    'account/info',
    'account/security/get',
    'auth/mfa-info',
    'auth/password-notice',
    'ip-whitelist/*',
  ],
  backups: ['backups/list', 'changelog/list', 'guide/get'],
  vouchers: [
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
  mail: ['mail/list', 'system-settings/smtp', 'guide/get'],
  webhooks: ['webhooks/**', 'account/access'],
  keys: ['developer-api/**', 'account/access'],
  changelog: ['changelog/**'],
  certificate: ['manager/certificate/get'],
  directory: ['ldap/**'],
  provider: ['saml/*', 'saml/roles/*'],
  guests: ['guests/list', 'guests/blocked/list', 'vouchers/desk/find', 'dashboard/guest-counts'],
  topology: ['topology/*', 'changelog/list'],
  dashboards: ['dashboard/layout'],
  logs: ['logs/find', 'logs/status', 'logs/target', 'syslog/list'],
  records: ['records/*'],
  metrics: ['metrics/status'],
  diagnoses: ['diagnostics/list', 'diagnostics/result'],
  speedTests: ['dashboard/speed-test/*'],
  feedback: ['feedback/*'],
  guide: ['guide/get'],
}

const fits = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  const open = wanted.at(-1) === '**'
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false
  return wanted.every((part, at) => part === '**' || part === '*' || part === given[at])
}

/** After which news the answer of this call is old. */
export const topicsOf = (path: string): Topic[] =>
  Object.entries(news).flatMap(([topic, reads]) => (reads.some(one => fits(one, path)) ? [topic as Topic] : []))

/** Whoever shows one thing that is gone leaves: it is not asked for once more. */
const isGone = (act: string, read: string, input: object): boolean =>
  /\/(delete|move)$/.test(act) && /\/(get|info)$/.test(read) && Object.keys(input).some(key => key !== 'networkId')

/** Whether the answer to `read` with this input is old after `act` succeeded, which made news of these topics. */
export const isOldAfter = (act: string, topics: readonly string[], read: string, input: object = {}): boolean =>
  topicsOf(read).some(topic => topics.includes(topic)) && !isGone(act, read, input)
