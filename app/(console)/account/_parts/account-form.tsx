'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { AccountTypeField } from '@/app/_shared/account-type'
import { Button } from '@/app/_ui/button'
import { ChoiceCards } from '@/app/_ui/check'
import { useNow } from '@/app/_ui/clock'
import { NumberField, TextField } from '@/app/_ui/field'
import { RuleList, useUserNameRules } from '@/app/_ui/rule-list'
import { SelectField } from '@/app/_ui/select-field'
import { formatDateTime } from '@/app/_ui/time'
import { ZoneField } from '@/app/_ui/zone-field'
import { type DateFormat, dateFormats } from '@/model/date-formats'
import { limits } from '@/model/limits'
import type { AccountType } from '@/model/users'

type Info = CallOutput<'account/info'>
type Values = {
  username: string
  company: string
  address: string
  type: AccountType
  locale: string
  timezone: string
  format: DateFormat
  hour: 12 | 24
  appearance: number
  /** Undefined where one time-out holds for everybody. */
  sessionTimeout: number | undefined
}
const appearances = [0, 1, 2, 3] as const
/** The page is drawn anew in the new language after this time (specification section 9). */
const reloadMs = 300

const valuesOf = (
  { username, company, address, type, locale, timezone, timeFormat, ...info }: Info,
  language: string,
): Values => ({
  username,
  company,
  address,
  type,
  locale: locale || language,
  timezone,
  format: dateFormats.find(format => format === timeFormat.format) ?? 'yyyy-MM-dd',
  hour: timeFormat.hour === 12 ? 12 : 24,
  appearance: info.appearance,
  sessionTimeout: info.ownTimeout ? info.sessionTimeout : undefined,
})

/** What differs from before: a name that came with the account need not meet the rules of a new one. */
function changeOf(before: Values, { format, hour, ...next }: Values): CallInput<'account/save'> {
  const keys = (Object.keys(next) as (keyof typeof next)[]).filter(key => next[key] !== before[key])
  return {
    ...Object.fromEntries(keys.map(key => [key, next[key]])),
    ...((format !== before.format || hour !== before.hour) && { timeFormat: { format, hour } }),
  }
}

function useSave() {
  const { errors, busy, run } = useSubmit<'save'>()
  // Stays busy until the page is drawn anew.
  const [saved, setSaved] = useState(false)
  const save = (change: CallInput<'account/save'>) =>
    run('save', async () => {
      await callApi('account/save', change)
      setSaved(true)
      setTimeout(() => window.location.reload(), reloadMs)
    })
  return { busy: saved || busy !== undefined, errors, save }
}

/** What a person chooses for themselves: name, language, times, appearance. */
export function AccountForm({ info }: { info: Info }) {
  const languages = useCall('language/get', {})
  if (!languages.data) return null
  return <Form before={valuesOf(info, languages.data.current)} info={info} languages={languages.data.result} />
}

type FormProps = { before: Values; info: Info; languages: CallOutput<'language/get'>['result'] }

function Form({ before, info, languages }: FormProps) {
  const t = useTranslations('account')
  // What was changed elsewhere on the page meanwhile is not taken back by a save.
  const [start] = useState(before)
  const { values, put, field, changed } = useFields(before)
  const nameRules = useUserNameRules(values.username)
  const { busy, errors, save } = useSave()
  return (
    <form
      className="card"
      onSubmit={event => {
        event.preventDefault()
        void save(changeOf(start, values))
      }}
    >
      <LeaveGuard on={changed} busy={busy} />
      <div className="form-section">
        <TextField
          label={t('username')}
          help={values.username === start.username ? t('usernameHelp') : <RuleList rules={nameRules} />}
          autoComplete="name"
          {...field('username', errors)}
        />
        <TextField label={t('company')} optional autoComplete="organization" {...field('company', errors)} />
        <TextField
          label={t('address')}
          optional
          autoComplete="street-address"
          maxLength={limits.addressCharacters}
          {...field('address', errors)}
        />
        <AccountTypeField label={t('type')} help={t('typeHelp')} {...field('type', errors)} />
        <SelectField
          label={t('language')}
          {...field('locale')}
          options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <ZoneField label={t('timezone')} {...field('timezone')} />
        <Times values={values} put={put} />
        {info.ownTimeout && (
          <NumberField
            label={t('timeout')}
            help={t('timeoutHelp')}
            unit={t('timeoutUnit')}
            {...field('sessionTimeout', errors)}
          />
        )}
        <ChoiceCards
          label={t('appearance')}
          value={String(values.appearance)}
          options={appearances.map(one => ({
            value: String(one),
            label: t(`appearances.${one}`),
            help: t(`appearanceHelp.${one}`),
          }))}
          onChange={one => put({ appearance: Number(one) })}
        />
      </div>
      <div className="form-section form-end">
        <Button type="submit" kind="primary" busy={busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

/** How dates and clock read, with this moment as the example. */
function Times({ values, put }: { values: Values; put: (change: Partial<Values>) => void }) {
  const t = useTranslations('account')
  const now = useNow()
  const { format, hour, timezone } = values
  const example = now === undefined ? format : formatDateTime(now, { format, hour, timeZone: timezone })
  return (
    <div className="two-columns">
      <SelectField
        label={t('format')}
        help={example}
        value={format}
        options={dateFormats.map(value => ({ value, label: value }))}
        onChange={value => put({ format: value as DateFormat })}
      />
      <SelectField
        label={t('clock')}
        value={String(hour)}
        options={[24, 12].map(value => ({ value: String(value), label: t(`hours.${value as 24}`) }))}
        onChange={value => put({ hour: Number(value) as 12 | 24 })}
      />
    </div>
  )
}
