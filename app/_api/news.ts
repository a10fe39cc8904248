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
    acts: ['devices/**', 'groups/*', 'credentials/*', 'import/*'],
    reads: [
      ...['devices/list', 'devices/info', 'devices/event-log', 'devices/switch/ports', 'devices/*/result'],
      ...['groups/*', 'credentials/list', 'clients/list', 'networks/list', 'changes/list'],
      ...['dashboard/devices', 'dashboard/clients-count', 'dashboard/top-clients', 'dashboard/health'],
      ...['settings/targets', 'settings/sources', 'changelog/list', 'guide/get'],
    ],
  },
  device: { acts: [], reads: ['devices/info', 'devices/event-log', 'dashboard/health', 'changes/list'] },
  discovery: { acts: [], reads: ['devices/discover/result'] },
  alerts: { acts: ['alerts/**'], reads: ['alerts/list', 'alerts/unread', 'alerts/notice/query', 'dashboard/alerts'] },
  push: {
    acts: ['devices/push', 'devices/config/*', 'changes/*', 'import/*'],
    reads: [
      ...['changes/list', 'devices/push/result', 'devices/config/get', 'devices/config/history', 'import/list'],
      ...['changelog/list', 'guide/get'],
    ],
  },
  settings: {
    acts: ['settings/**', 'clients/*', 'changes/*', 'devices/config/*', 'devices/switch/*', 'changelog/revert'],
    reads: [
      ...['settings/*/list', 'settings/*/options', 'changes/list', 'devices/push/preview'],
      ...['clients/list', 'devices/switch/ports', 'changelog/list', 'guide/get'],
    ],
  },
  networks: {
    acts: ['networks/**'],
    reads: [
      ...['networks/list', 'networks/options', 'networks/active', 'networks/share/list', 'networks/tags/list'],
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
      ...['mfa/enable', 'mfa/disable', 'mfa/recovery-codes'],
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
  mail: { acts: ['mail/*', 'system-settings/**'], reads: ['mail/list', 'system-settings/smtp', 'guide/get'] },
  webhooks: { acts: ['webhooks/**'], reads: ['webhooks/**'] },
  keys: { acts: ['developer-api/**'], reads: ['developer-api/**'] },
  changelog: { acts: ['changelog/**'], reads: ['changelog/**'] },
  certificate: { acts: ['manager/certificate/*'], reads: ['manager/certificate/get'] },
  directory: { acts: ['ldap/**'], reads: ['ldap/**'] },
  provider: { acts: ['saml/**'], reads: ['saml/**'] },
  feedback: { acts: ['feedback/*'], reads: ['feedback/*'] },
  guide: { acts: ['guide/*'], reads: ['guide/get'] },
} as const satisfies Record<Exclude<BusEvent['topic'], 'signedOut' | 'networkMoved'>, News> & Record<string, News>
export type Topic = keyof typeof news

/** Calls that ask, by the last word of their path. */
const asks = new Set([
  ...['list', 'get', 'info', 'query', 'options', 'result', 'preview', 'compare', 'history', 'event-log', 'tree'],
  ...['ports', 'traffic', 'usage', 'unread', 'current', 'active', 'item', 'devices', 'role', 'types', 'targets'],
  ...['sources', 'segments', 'smtp', 'download'],
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
export const newsOf = (path: string): Topic[] => (asks.has(path.split('/').at(-1) ?? '') ? [] : at('acts', path))

/** Whoever shows one thing that is gone leaves: it is not asked for once more. */
const isGone = (act: string, read: string, input: object): boolean =>
  /\/(delete|move)$/.test(act) && /\/(get|info)$/.test(read) && Object.keys(input).some(key => key !== 'networkId')

/** Whether the answer to `read` with this input is old after `act` succeeded. */
export function isOldAfter(act: string, read: string, input: object = {}): boolean {
  const made = newsOf(act)
  return made.length > 0 && topicsOf(read).some(topic => made.includes(topic)) && !isGone(act, read, input)
}
