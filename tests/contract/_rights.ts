// What each call asks of whoever makes it, written down a second time: a call that asks for less is seen.
import type { Authority } from '@/model/authority'

export type Need = Authority | 'open' | 'session'

const named: Partial<Record<Need, string>> = {
  open: `
    init-info auth/login-valid auth/login-spoken auth/check-factor auth/pending-factor login mfa/setup mfa/enable language/get language/set
    appearance/set
    sso/redirect sso/metadata sso/acs
    auth/activation auth/activate auth/resend-activation auth/sign-up auth/forgot-password auth/forgot-username auth/reset-password
    auth/reset-password/access
    wizard/initial-info wizard/unlock wizard/countries wizard/timezones wizard/general wizard/account wizard/ssid wizard/skip
    wizard/finish wizard/discover/segments wizard/discover wizard/discover/result wizard/discover/stop wizard/fingerprint
    wizard/adopt wizard/adopt/cancel wizard/drop wizard/restore wizard/restore/upload`,
  session: `
    logout menu auth/authority domain session/set session/clear code/generate-code account/info account/save account/delete account/email/save account/email/confirm
    account/password account/access auth/password-notice auth/password-notice/later auth/mfa-info mfa/disable
    sso/logout/check
    mfa/recovery-codes sessions/list sessions/end sessions/end-others networks/options networks/active networks/switch countries timezones
    guide/get guide/step sso/user/manual feedback/info feedback/attach feedback/detach feedback/send search/find licences/list licences/get openapi.json`,
  dashboard: `
    dashboard/health dashboard/devices dashboard/clients-count dashboard/bandwidth dashboard/top-aps dashboard/top-clients
    dashboard/alerts dashboard/guest-counts dashboard/alerts-overview dashboard/channel dashboard/clients-general
    dashboard/clients-pie dashboard/clients-statistics dashboard/layout dashboard/save dashboard/top-ssids
    dashboard/usage-realtime dashboard/wan-overview dashboard/speed-test/servers dashboard/speed-test/result
    dashboard/speed-test/list`,
  speed_test: `dashboard/speed-test/start dashboard/speed-test/stop dashboard/speed-test/delete`,
  devices: `
    groups/tree groups/list groups/info groups/devices groups/check groups/device-types groups/business settings/sources settings/targets changes/list changes/left-out/list devices/left-out/list devices/left-out/count exports/devices exports/online-status import/list
    wifi/ssids/list
    devices/list devices/info devices/power/info devices/usage devices/traffic devices/event-log devices/sync devices/switch/ports
    devices/push/preview devices/push/result devices/config/history devices/config/get devices/config/compare
    devices/config/check topology/get topology/uplink topology/vlan-select`,
  devices_edit: `
    changes/discard devices/push devices/config/restore devices/config/adopt devices/config/save devices/delete devices/move
    devices/replace devices/power/cycle devices/reboot devices/locate devices/discover/segments devices/discover
    devices/discover/result devices/discover/stop devices/fingerprint devices/adopt devices/adopt/result
    devices/adopt/cancel devices/add
    devices/import networks/device-import import/add import/release
    topology/links/save topology/links/delete topology/places/save topology/places/delete`,
  devices_logins: `credentials/list credentials/public-key/get`,
  devices_logins_edit: `
    credentials/save credentials/order credentials/delete credentials/test credentials/rotate devices/set-login system-settings/ssh
    groups/password groups/password/result`,
  devices_group_add: `groups/add groups/edit groups/delete groups/transfer`,
  clients: `clients/list clients/ap-options clients/ssid-list clients/info clients/history clients/roaming clients/setting clients/presence clients/monitor clients/icons/list exports/clients`,
  clients_edit: `clients/save clients/clear clients/kick clients/icons/save clients/icons/batch-save clients/subscribe`,
  guests: `guests/list guests/blocked/list exports/guests`,
  guests_remove: `guests/remove guests/forget guests/extend guests/block guests/unblock`,
  vouchers: `
    vouchers/groups/list vouchers/groups/get vouchers/settings vouchers/list vouchers/states exports/vouchers
    vouchers/desk/presets vouchers/desk/find`,
  vouchers_edit: `vouchers/groups/save vouchers/groups/delete vouchers/add vouchers/delete vouchers/renew
    vouchers/desk/sell vouchers/desk/extend vouchers/desk/add-time vouchers/desk/speed
    vouchers/desk/free vouchers/desk/void`,
  vouchers_print: `vouchers/groups/print vouchers/groups/print/result vouchers/groups/print/file
    vouchers/desk/code vouchers/desk/mail vouchers/templates/list vouchers/templates/save vouchers/templates/delete
    exports/templates`,
  settings_profiles: `
    exports/ppsk guests/page/preview guests/page/get guests/policy/get guests/files/get guests/files/show
    guests/ads/list guests/announced/get certificates/list radius/get radius/sign-ins/list
    radius/sessions/list exports/radius-users exports/radius-sessions exports/staff-profile`,
  settings_internet: `wan/overview wan/health`,
  settings_lan: `dhcp/leases settings/vlans/list`,
  settings_system: `syslog/list`,
  settings_system_edit: `syslog/start syslog/stop`,
  settings_wifi: `wifi/radios/get`,
  settings_wifi_edit: `wifi/ssids/join networks/global-ssid`,
  settings_lan_edit: `clients/release clients/fixed-address`,
  alerts: `alerts/list alerts/ap-list alerts/unread alerts/detail alerts/config/query alerts/maintenance/list`,
  troubleshooting: `diagnostics/places diagnostics/result diagnostics/list`,
  troubleshooting_run: `diagnostics/run diagnostics/stop diagnostics/delete exports/capture`,
  logs: `logs/find logs/matches logs/status logs/target exports/logs`,
  records: `records/find records/status records/gateways exports/url-record dashboard/top-websites`,
  alerts_edit: `alerts/read alerts/delete alerts/delete-all alerts/acknowledge alerts/config/save
    alerts/maintenance/save alerts/maintenance/delete`,
  settings_firewall: `clients/lock/list`,
  settings_firewall_edit: `clients/block clients/unblock clients/lock/remove`,
  settings_traffic_edit: `clients/limit`,
  settings_profiles_edit: `
    devices/switch/port-save guests/page/save guests/policy/save guests/files/upload guests/ads/save certificates/issue certificates/revoke exports/certificate
    radius/switch radius/try radius/sessions/disconnect radius/users/import radius/staff/save`,
  organization_network: `
    networks/list networks/export networks/tags/list networks/share/options networks/share/list networks/transfer/list
    networks/transfer/item`,
  organization_network_add: `
    networks/add networks/edit networks/delete networks/default networks/sort networks/clone networks/import
    networks/tags/add networks/tags/edit networks/tags/delete
    networks/share/add networks/share/accept networks/share/reject networks/share/return networks/share/edit networks/share/cancel
    networks/transfer/start networks/transfer/confirm networks/transfer/cancel`,
  organization_companies: `companies/list`,
  organization_companies_edit: `companies/add companies/edit companies/invite companies/delete companies/associate companies/disassociate`,
  organization_users: `
    roles/list roles/types roles/tree users/sign-ups/list users/list users/role email/check exports/users`,
  organization_users_edit: `
    roles/save roles/delete
    users/add users/edit users/disable users/unlock users/delete users/resend-invitation
    users/sign-ups/accept users/sign-ups/refuse`,
  organization_notices: `alerts/notice/query alerts/targets/list`,
  organization_notices_edit: `alerts/notice/save alerts/notice/test
    alerts/targets/save alerts/targets/delete alerts/targets/test`,
  organization_security: `
    account/security/get ip-whitelist/list ip-whitelist/current ip-whitelist/check
    saml/get saml/roles/list`,
  organization_security_edit: `
    account/security/save mfa/force ip-whitelist/add ip-whitelist/update ip-whitelist/delete
    saml/save saml/metadata/read saml/roles/save saml/roles/delete`,
  organization_directory: `ldap/get ldap/roles/list`,
  organization_directory_edit: `ldap/save ldap/test ldap/roles/save ldap/roles/delete`,
  organization_mail: `system-settings/smtp mail/list`,
  organization_mail_edit: `
    system-settings/smtp/save system-settings/smtp/delete system-settings/test-email mail/retry mail/delete`,
  organization_changelog: `changelog/list changelog/options changelog/get exports/log`,
  organization_changelog_edit: `changelog/revert`,
  organization_api: `
    developer-api/get developer-api/keys/list developer-api/keys/create developer-api/keys/delete
    webhooks/get webhooks/list webhooks/save webhooks/switch webhooks/rotate webhooks/delete webhooks/test
    webhooks/deliveries/list webhooks/deliveries/get webhooks/deliveries/retry metrics/dashboard`,
  organization_api_edit: `developer-api/save`,
  metrics: `metrics`,
  organization_manager: `metrics/status system-settings/get changelog/syslog/get backups/list manager/certificate/get feedback/list feedback/download`,
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
  settings_firewall: 'wiredRule wirelessRule portForward blockedClient timePolicy',
  settings_profiles: 'radius radiusUser radiusClient portal splash smsGateway ppsk portProfile schedule',
  settings_traffic: 'bandwidthRule staticRoute policyRoute',
  settings_system: 'system logRule trafficLogs',
  organization_mail: 'mailServer',
  organization_security: 'security saml',
  organization_directory: 'directory',
  organization_notices: 'notices',
  organization_api: 'api',
  organization_manager: 'webhookSegments backupSchedule syslog feedbackAddress logReception metricsStore',
}

/** Kinds that others refer to, by the features of those: they are told its names. */
const referring: Record<string, readonly Authority[]> = {
  ssid: ['settings_profiles', 'settings_firewall', 'settings_traffic'],
  lan: ['settings_internet', 'settings_firewall', 'settings_traffic'],
  wan: ['settings_traffic'],
  radius: ['settings_wifi'],
  portal: ['settings_lan', 'settings_wifi'],
  schedule: ['settings_wifi', 'settings_firewall', 'settings_traffic'],
}

/** Lists of what is chosen from in the work of another feature. */
const chosenWith: Record<string, readonly Authority[]> = {
  'credentials/list': ['devices_edit'],
  'settings/vlans/list': ['settings_wifi'],
  'wifi/radios/get': ['devices'],
  'logs/target': ['settings_system'],
}

const words = (text = '') => text.trim().split(/\s+/)
const listed = new Map(Object.entries(named).flatMap(([need, paths]) => words(paths).map(path => [path, need as Need])))
const owners = new Map(
  Object.entries(kinds).flatMap(([feature, ids]) => words(ids).map(id => [id, feature as Authority])),
)

/** Files of what can be read: the right to export is needed beside. */
export const exporting = words(
  'exports/devices exports/online-status exports/users exports/log exports/clients exports/guests exports/ppsk exports/certificate exports/vouchers exports/templates exports/logs exports/url-record exports/radius-users exports/radius-sessions exports/staff-profile exports/capture',
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
