import type { CallInput } from '@/app/_api/client'

export type Credential = NonNullable<CallInput<'wizard/adopt'>['credential']>
type Snmp3 = Extract<Credential, { type: 'snmp3' }>

export const ways = ['ssh', 'snmp2c', 'snmp3', 'snmp1'] as const
export type Way = (typeof ways)[number]
export const levels = ['authPriv', 'authNoPriv', 'noAuthNoPriv'] as const
export const authProtocols = ['sha256', 'sha', 'sha224', 'sha384', 'sha512', 'md5'] as const
export const privProtocols = ['aes', 'aes256b', 'aes256r', 'des'] as const

/** What the login form holds; every way keeps its own words while another is looked at. */
export type Login = {
  way: Way
  user: string
  password: string
  privateKey: string
  passphrase: string
  community: string
  snmpUser: string
  level: Snmp3['level']
  authProtocol: NonNullable<Snmp3['authProtocol']>
  authKey: string
  privProtocol: NonNullable<Snmp3['privProtocol']>
  privKey: string
}

export const emptyLogin: Login = {
  way: 'ssh',
  user: 'root',
  password: '',
  privateKey: '',
  passphrase: '',
  community: '',
  snmpUser: '',
  level: 'authPriv',
  authProtocol: 'sha256',
  authKey: '',
  privProtocol: 'aes',
  privKey: '',
}

const some = <K extends string>(name: K, value: string) => (value === '' ? {} : { [name]: value })

/** The form as the call takes it: what is empty is left out. */
export function credentialOf(login: Login): Credential {
  const { way, level } = login
  if (way === 'ssh')
    return {
      type: 'ssh',
      user: login.user,
      ...some('password', login.password),
      ...some('privateKey', login.privateKey),
      ...some('passphrase', login.passphrase),
    }
  if (way === 'snmp3')
    return {
      type: 'snmp3',
      user: login.snmpUser,
      level,
      ...(level !== 'noAuthNoPriv' && { authProtocol: login.authProtocol, authKey: login.authKey }),
      ...(level === 'authPriv' && { privProtocol: login.privProtocol, privKey: login.privKey }),
    }
  return { type: way, community: login.community }
}
