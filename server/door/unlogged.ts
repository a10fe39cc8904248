const own = "only of the reader's own browser"
const looks = 'asks a device or the network, stores nothing that a person decided'
const elsewhere = 'writes its own entry, where what it does ends'

/** Calls of people who are signed in that change something without an entry of theirs in the changelog, each with the reason. */
export const unlogged: Readonly<Record<string, string>> = {
  'feedback/attach': elsewhere,
  'feedback/detach': own,
  'guide/step': own,
  logout: own,
  'networks/switch': own,
  'account/email/save': elsewhere,
  'account/save': elsewhere,
  'auth/password-notice': own,
  'mfa/disable': elsewhere,
  'mfa/recovery-codes': elsewhere,
  'system-settings/test-email': looks,
  'alerts/read': own,
  'alerts/notice/test': looks,
  'backups/verify': looks,
  'backups/restore': elsewhere,
  'credentials/test': looks,
  'devices/add': elsewhere,
  'devices/adopt': elsewhere,
  'devices/import': elsewhere,
  'devices/config/check': looks,
  'devices/discover': looks,
  'devices/discover/stop': looks,
  'devices/fingerprint': looks,
  'devices/sync': looks,
}
