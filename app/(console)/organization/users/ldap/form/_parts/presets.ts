import type { Data } from '@/model/kind'

/** How people and groups are found in directories of a sort. */
export const presets = {
  /** RFC 4519 and RFC 2798, as OpenLDAP and most others have them. */
  openLdap: {
    filter: '(&(objectClass=person)(uid={name}))',
    accountAttribute: 'uid',
    nameAttribute: 'cn',
    emailAttribute: 'mail',
    roleAttribute: 'memberOf',
  },
  /** The number is the bit of accounts that are disabled there. */
  activeDirectory: {
    filter: '(&(objectClass=user)(sAMAccountName={name})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    accountAttribute: 'sAMAccountName',
    nameAttribute: 'displayName',
    emailAttribute: 'mail',
    roleAttribute: 'memberOf',
  },
} as const satisfies Readonly<Record<string, Data>>
export const presetNames = Object.keys(presets) as (keyof typeof presets)[]
