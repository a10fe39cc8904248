'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { wordOr } from '@/app/_i18n/word'
import { Segments } from '@/app/_ui/check'
import { PasswordField, TextArea, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { authProtocols, type Login, levels, privProtocols, type Way, ways } from './login-data'

type Props = {
  login: Login
  onLogin: (login: Login) => void
  errors: Readonly<Record<string, string>>
  /** Of a login that devices use already: it cannot become one of another protocol. */
  instead?: Way
}

const protocolOf = (way: Way) => (way === 'ssh' ? 'ssh' : 'snmp')

/** How to log in to devices: SSH with a password or a key, or SNMP. */
export function LoginFields({ login, onLogin, errors, instead }: Props) {
  const t = useTranslations('adoption.login')
  const set = <K extends keyof Login>(name: K, value: Login[K]) => onLogin({ ...login, [name]: value })
  const error = (name: string) => errors[`credential.${name}`]
  const offered = ways.filter(way => !instead || protocolOf(way) === protocolOf(instead))
  return (
    <>
      {offered.length > 1 && (
        <Segments
          label={t('way')}
          options={offered.map(value => ({ value, label: t(`ways.${value}`) }))}
          value={login.way}
          onChange={value => set('way', value as Login['way'])}
        />
      )}
      {login.way === 'ssh' && <SshFields login={login} set={set} error={error} />}
      {login.way === 'snmp3' && <Snmp3Fields login={login} set={set} error={error} />}
      {(login.way === 'snmp2c' || login.way === 'snmp1') && (
        <PasswordField
          label={t('community')}
          autoComplete="off"
          value={login.community}
          onChange={value => set('community', value)}
          error={error('community')}
        />
      )}
    </>
  )
}

type Part = {
  login: Login
  set: <K extends keyof Login>(name: K, value: Login[K]) => void
  error: (name: string) => string | undefined
}

function SshFields({ login, set, error }: Part) {
  const t = useTranslations('adoption.login')
  const [byKey, setByKey] = useState(login.privateKey !== '')
  return (
    <>
      <div className="two-columns">
        <TextField
          label={t('user')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={login.user}
          onChange={value => set('user', value)}
          error={error('user')}
        />
        <PasswordField
          label={byKey ? t('passphrase') : t('password')}
          optional
          help={byKey ? undefined : t('passwordHelp')}
          value={byKey ? login.passphrase : login.password}
          onChange={value => set(byKey ? 'passphrase' : 'password', value)}
          error={error(byKey ? 'passphrase' : 'password')}
        />
      </div>
      {byKey && (
        <TextArea
          label={t('privateKey')}
          code
          rows={4}
          spellCheck={false}
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          value={login.privateKey}
          onChange={value => set('privateKey', value)}
          error={error('privateKey')}
        />
      )}
      <button type="button" className="link justify-self-start" onClick={() => setByKey(!byKey)}>
        {byKey ? t('usePassword') : t('useKey')}
      </button>
    </>
  )
}

const auth = { protocol: 'authProtocol', key: 'authKey', values: authProtocols } as const
const priv = { protocol: 'privProtocol', key: 'privKey', values: privProtocols } as const
/** Which secrets a level of SNMPv3 needs. */
const pairs = { noAuthNoPriv: [], authNoPriv: [auth], authPriv: [auth, priv] } satisfies Record<
  Login['level'],
  readonly (typeof auth | typeof priv)[]
>

function Snmp3Fields({ login, set, error }: Part) {
  const t = useTranslations('adoption.login')
  const named = (values: readonly string[], group: 'levels' | 'protocols') =>
    values.map(value => ({ value, label: wordOr(t, `${group}.${value}`, value) }))
  return (
    <>
      <div className="two-columns">
        <TextField
          label={t('user')}
          autoComplete="off"
          value={login.snmpUser}
          onChange={value => set('snmpUser', value)}
          error={error('user')}
        />
        <SelectField
          label={t('level')}
          options={named(levels, 'levels')}
          value={login.level}
          onChange={value => set('level', value as Login['level'])}
        />
      </div>
      {pairs[login.level].map(({ protocol, key, values }) => (
        <div key={key} className="two-columns">
          <SelectField
            label={t(protocol)}
            options={named(values, 'protocols')}
            value={login[protocol]}
            onChange={value => set(protocol, value as never)}
          />
          <PasswordField label={t(key)} value={login[key]} onChange={value => set(key, value)} error={error(key)} />
        </div>
      ))}
    </>
  )
}
