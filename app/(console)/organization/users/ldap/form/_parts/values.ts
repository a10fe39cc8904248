import type { CallInput } from '@/app/_api/client'
import type { Directory } from './directory-page'

type Input = CallInput<'ldap/save'>
export type Values = Required<Omit<Input, 'bindPassword'>> & { bindPassword: string }
export type PartProps = {
  values: Values
  put: (change: Partial<Values>) => void
  errors: Readonly<Record<string, string>>
}

export const securities = ['ldaps', 'starttls'] as const
export const usualPort = { ldaps: 636, starttls: 389 } as const

/** How people and groups are found in directories of a kind. */
const finding = {
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
} as const
export type Kind = keyof typeof finding
export const kinds = Object.keys(finding) as Kind[]
export const findingOf = (kind: Kind): Partial<Values> => finding[kind]

export const valuesOf = (directory: Directory): Values => ({
  enabled: true,
  host: '',
  port: usualPort.ldaps,
  security: 'ldaps',
  ca: '',
  bindDn: '',
  base: '',
  ...finding.openLdap,
  groupBase: '',
  groupFilter: '',
  ...directory,
  bindPassword: '',
})

/** What is sent: a password left empty stays the one that is kept. */
export const inputOf = ({ bindPassword, ...values }: Values, kept: boolean): Input => ({
  ...values,
  ...(bindPassword ? { bindPassword } : kept && values.bindDn ? { bindPassword: { set: true as const } } : {}),
})
