// What each call asks of whoever makes it, written down a second time: a call that asks for less is seen.
import type { Authority } from '@/model/authority'

export type Need = Authority | 'open' | 'session'

const named: Partial<Record<Need, string>> = {
  open: `
    init-info auth/login-valid auth/check-factor auth/pending-factor login mfa/setup mfa/enable language/get language/set
    appearance/set
    sso/redirect sso/metadata sso/acs
    auth/activation auth/activate auth/resend-activation auth/sign-up auth/forgot-password auth/forgot-username auth/reset-password
    wizard/initial-info wizard/unlock wizard/countries wizard/timezones wizard/general wizard/account wizard/ssid wizard/skip
    wizard/finish wizard/discover/segments wizard/discover wizard/discover/result wizard/discover/stop wizard/fingerprint
    wizard/adopt wizard/drop`,
  session: `
    logout menu auth/authority account/info account/save account/delete account/email/save account/email/confirm
    account/password auth/password-notice auth/mfa-info mfa/disable
    sso/logout/check
    mfa/recovery-codes sessions/list sessions/end sessions/end-others networks/options networks/active networks/switch countries timezones
    guide/get guide/step sso/user/manual feedback/info feedback/attach feedback/detach feedback/send licences/list licences/get openapi.json`,
  dashboard: `
    dashboard/health dashboard/devices dashboard/clients-count dashboard/bandwidth dashboard/top-aps dashboard/top-clients
    dashboard/alerts`,
  devices: `
    groups/tree groups/list groups/info groups/devices settings/sources settings/targets changes/list exports/devices import/list
    devices/list devices/info devices/usage devices/traffic devices/event-log devices/sync devices/switch/ports
    devices/push/preview devices/push/result devices/config/history devices/config/get devices/config/compare
    devices/config/check`,
  devices_edit: `
    changes/discard devices/push devices/config/restore devices/config/adopt devices/config/save devices/delete devices/move
    devices/replace devices/reboot devices/locate devices/discover/segments devices/discover
    devices/discover/result devices/discover/stop devices/fingerprint devices/adopt devices/adopt/result devices/add
    devices/import import/add import/release`,
  devices_logins: `credentials/list`,
  devices_logins_edit: `
    credentials/save credentials/delete credentials/test credentials/rotate devices/set-login`,
  devices_group_add: `groups/add groups/edit groups/delete groups/transfer`,
  clients: `clients/list`,
  alerts: `alerts/list alerts/unread`,
  alerts_edit: `alerts/read alerts/delete alerts/delete-all`,
  settings_firewall_edit: `clients/block clients/unblock`,
  settings_profiles_edit: `devices/switch/port-save`,
  organization_network: `
    networks/list networks/export networks/tags/list networks/share/options networks/share/list networks/transfer/list
    networks/transfer/item`,
  organization_network_add: `
    networks/add networks/edit networks/delete networks/default networks/sort networks/clone networks/import
    networks/tags/add networks/tags/edit networks/tags/delete
    networks/share/add networks/share/accept networks/share/reject networks/share/return networks/share/edit networks/share/cancel
    networks/transfer/start networks/transfer/confirm networks/transfer/cancel`,
  organization_companies: `companies/list`,
  organization_companies_edit: `companies/add companies/edit companies/invite companies/delete`,
  organization_users: `
    roles/list roles/types roles/tree users/sign-ups/list users/list users/role email/check exports/users`,
  organization_users_edit: `
    roles/save roles/delete
    users/add users/edit users/disable users/unlock users/delete users/resend-invitation
    users/sign-ups/accept users/sign-ups/refuse`,
  organization_notices: `alerts/notice/query`,
  organization_notices_edit: `alerts/notice/save alerts/notice/test`,
  organization_security: `
    account/security/get ip-whitelist/list ip-whitelist/current ip-whitelist/check
    saml/get saml/roles/list`,
  organization_security_edit: `
    account/security/save mfa/force ip-whitelist/add ip-whitelist/update ip-whitelist/delete
    saml/save saml/roles/save saml/roles/delete`,
  organization_directory: `ldap/get ldap/roles/list`,
  organization_directory_edit: `ldap/save ldap/test ldap/roles/save ldap/roles/delete`,
  organization_mail: `system-settings/smtp mail/list`,
  organization_mail_edit: `
    system-settings/smtp/save system-settings/smtp/delete system-settings/test-email mail/retry mail/delete`,
  organization_changelog: `changelog/list changelog/options changelog/get exports/changelog`,
  organization_changelog_edit: `changelog/revert`,
  organization_api: `
    developer-api/get developer-api/keys/list developer-api/keys/create developer-api/keys/delete
    webhooks/get webhooks/list webhooks/save webhooks/switch webhooks/rotate webhooks/delete webhooks/test
    webhooks/deliveries/list webhooks/deliveries/get webhooks/deliveries/retry`,
  organization_api_edit: `developer-api/save`,
  organization_manager: `system-settings/get changelog/syslog/get backups/list manager/certificate/get feedback/list feedback/download`,
  organization_manager_edit: `
    system-settings/save changelog/syslog/save
    backups/create backups/delete backups/schedule backups/verify backups/restore backups/download backups/upload
    manager/certificate/save manager/certificate/delete exports/support feedback/save feedback/delete
    webhooks/segments/save`,
}

/** Kinds of settings, by the feature whose calls read and change them. */
const kinds: Partial<Record<Authority, string>> = {
  settings_wifi: 'ssid radio mesh steering',
  settings_lan: 'lan',
  settings_internet: 'wan internetSource',
  settings_firewall: 'wiredRule wirelessRule portForward blockedClient',
  settings_profiles: 'radius ppsk portProfile schedule',
  settings_traffic: 'bandwidthRule staticRoute policyRoute',
  settings_system: 'system',
  organization_mail: 'mailServer',
  organization_security: 'security',
  organization_directory: 'directory',
  organization_notices: 'notices',
  organization_api: 'api',
  organization_manager: 'webhookSegments backupSchedule syslog feedbackAddress',
}

/** Kinds that others refer to, by the features of those: they are told its names. */
const referring: Record<string, readonly Authority[]> = {
  ssid: ['settings_profiles', 'settings_firewall', 'settings_traffic'],
  lan: ['settings_internet', 'settings_firewall', 'settings_traffic'],
  wan: ['settings_traffic'],
  radius: ['settings_wifi'],
  schedule: ['settings_wifi', 'settings_firewall', 'settings_traffic'],
}

/** Lists of what is chosen from in the work of another feature. */
const chosenWith: Record<string, readonly Authority[]> = { 'credentials/list': ['devices_edit'] }

const words = (text = '') => text.trim().split(/\s+/)
const listed = new Map(Object.entries(named).flatMap(([need, paths]) => words(paths).map(path => [path, need as Need])))
const owners = new Map(
  Object.entries(kinds).flatMap(([feature, ids]) => words(ids).map(id => [id, feature as Authority])),
)

/** What a call asks for, undefined where nobody has written it down. */
export function needOf(path: string): Need | undefined {
  const found = listed.get(path)
  if (found) return found
  const [, kind = '', verb = ''] = /^settings\/(\w+)\/(\w+)$/.exec(path) ?? []
  const feature = owners.get(kind)
  if (!feature) return undefined
  return ['list', 'get', 'options'].includes(verb) ? feature : (`${feature}_edit` as Authority)
}

/** What does as well as `needOf`. */
export function alsoOf(path: string): readonly Authority[] {
  // Whoever reads any setting is told the names of the devices it may be given to.
  if (path === 'settings/targets') return [...owners.values()].filter(feature => feature.startsWith('settings_'))
  return chosenWith[path] ?? referring[/^settings\/(\w+)\/options$/.exec(path)?.[1] ?? ''] ?? []
}

export const listedPaths = [...listed.keys()]
