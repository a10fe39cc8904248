'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { Button, IconButton } from '@/app/_ui/button'
import { SelectField } from '@/app/_ui/select-field'
import { limits } from '@/model/limits'
import { type Credential, credentialOf, emptyLogin, type Login, type Way } from './login-data'
import { LoginFields } from './login-fields'

/** A stored login that may be chosen. `mayBring`: whether this person may have it sent to new devices. */
export type StoredLogin = { id: number; name: string; type: Way; mayBring: boolean }
export type ChosenLogin = { credentialId: number } | { credential: Credential }

const fresh = 'new'
type Row = { key: number; stored: string; login: Login }

const firstRow: Row = { key: 0, stored: fresh, login: emptyLogin }

/**
 * Logins in the order in which they are tried: stored ones and new ones. `value` is what the calls take; `ssh` and `snmp`
 * tell over what it is logged in.
 */
export function useLogins(stored: readonly StoredLogin[]) {
  const [rows, setRows] = useState<readonly Row[]>([firstRow])
  const last = useRef(0)
  const rowOf = (one?: StoredLogin): Row => ({ ...firstRow, key: ++last.current, stored: one ? String(one.id) : fresh })
  const storedOf = (row: Row) => stored.find(one => String(one.id) === row.stored)
  const usable = stored.filter(one => one.mayBring)
  const ways = rows.map(row => storedOf(row)?.type ?? row.login.way)
  const value = rows.map((row): ChosenLogin => {
    const one = storedOf(row)
    return one ? { credentialId: one.id } : { credential: credentialOf(row.login) }
  })
  return {
    rows,
    stored,
    value,
    ssh: ways.includes('ssh'),
    /** A port that is given is of the first login's protocol. */
    firstSsh: ways[0] === 'ssh',
    snmp: ways.some(way => way !== 'ssh'),
    isStored: (row: Row) => storedOf(row) !== undefined,
    set: (key: number, change: Partial<Row>) =>
      setRows(rows.map(row => (row.key === key ? { ...row, ...change } : row))),
    add: () => setRows([...rows, rowOf(usable.find(one => rows.every(row => row.stored !== String(one.id))))]),
    drop: (key: number) => setRows(rows.filter(row => row.key !== key)),
    move(key: number, by: -1 | 1) {
      const at = rows.findIndex(row => row.key === key)
      const moved = rows[at]
      if (!moved) return
      const rest = rows.filter(row => row !== moved)
      setRows([...rest.slice(0, at + by), moved, ...rest.slice(at + by)])
    },
    /** All stored ones, as they stand in their list. */
    takeStored: () => setRows(usable.slice(0, limits.loginsInTurn).map(one => rowOf(one))),
    usable: usable.length,
  }
}
export type Logins = ReturnType<typeof useLogins>

type Props = { logins: Logins; errors: Readonly<Record<string, string>> }

/** What goes to the chosen devices, in turn. `errors` by the calls' names: `logins.0.credential.password`. */
export function LoginList({ logins, errors }: Props) {
  const t = useTranslations('adoption.logins')
  const { rows } = logins
  return (
    <>
      {rows.length > 1 && <p className="help">{t('help')}</p>}
      <ol className="login-list">
        {rows.map((row, at) => (
          <li key={row.key}>
            {rows.length > 1 && <Head logins={logins} row={row} at={at} />}
            <OneLogin logins={logins} row={row} errors={errorsOf(errors, at)} />
          </li>
        ))}
      </ol>
      <div className="row wrapping">
        {rows.length < limits.loginsInTurn && (
          <Button small icon="plus" onClick={logins.add}>
            {t('add')}
          </Button>
        )}
        {logins.usable > 1 && rows.length < 2 && (
          <Button small icon="key" onClick={logins.takeStored}>
            {t('all')}
          </Button>
        )}
      </div>
    </>
  )
}

const errorsOf = (errors: Props['errors'], at: number): Record<string, string> => {
  const start = `logins.${at}.`
  return Object.fromEntries(
    Object.entries(errors).flatMap(([name, text]) =>
      name.startsWith(start) ? [[name.slice(start.length), text]] : [],
    ),
  )
}

function Head({ logins, row, at }: { logins: Logins; row: Row; at: number }) {
  const t = useTranslations('adoption.logins')
  const number = at + 1
  const { move, drop, rows } = logins
  return (
    <div className="row">
      <b className="grow">{t('number', { number })}</b>
      <IconButton
        small
        kind="ghost"
        icon="arrowUp"
        label={t('earlier', { number })}
        disabled={at === 0}
        onClick={() => move(row.key, -1)}
      />
      <IconButton
        small
        kind="ghost"
        icon="arrowDown"
        label={t('later', { number })}
        disabled={number === rows.length}
        onClick={() => move(row.key, 1)}
      />
      <IconButton small kind="ghost" icon="close" label={t('drop', { number })} onClick={() => drop(row.key)} />
    </div>
  )
}

function OneLogin({ logins, row, errors }: { logins: Logins; row: Row; errors: Props['errors'] }) {
  const t = useTranslations('adoption.logins')
  const ways = useTranslations('adoption.login.ways')
  const { stored, set, isStored } = logins
  return (
    <>
      {stored.length > 0 && (
        <SelectField
          label={t('which')}
          value={isStored(row) ? row.stored : fresh}
          help={stored.every(one => one.mayBring) ? undefined : t('notYours')}
          error={errors.credentialId}
          options={[
            { value: fresh, label: t('new') },
            ...stored.map(one => ({
              value: String(one.id),
              label: `${one.name} (${ways(one.type)})`,
              disabled: !one.mayBring,
            })),
          ]}
          onChange={value => set(row.key, { stored: value })}
        />
      )}
      {!isStored(row) && <LoginFields login={row.login} onLogin={login => set(row.key, { login })} errors={errors} />}
    </>
  )
}
