const own = "only of the reader's own browser"
const looks = 'asks a device or the network, stores nothing that a person decided'
const setup = 'before there is an account; finishing the setup is the first entry'
const elsewhere = 'writes its own entry, where what it does ends'

/** Calls that change something without an entry of theirs in the changelog, each with the reason. */
export const unlogged: Readonly<Record<string, string>> = {
  login: elsewhere,
  logout: own,
  'auth/activate': elsewhere,
  'auth/resend-activation': elsewhere,
  'language/set': own,
  'networks/switch': own,
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
  'wizard/unlock': setup,
  'wizard/general': setup,
  'wizard/account': setup,
  'wizard/ssid': setup,
  'wizard/skip': setup,
  'wizard/finish': elsewhere,
  'wizard/adopt': setup,
  'wizard/discover': setup,
  'wizard/discover/stop': setup,
  'wizard/drop': setup,
  'wizard/fingerprint': setup,
}
