'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { PasswordField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import type { Backups } from './backups-page'

type Schedule = Backups['schedule']
const frequencies = ['off', 'daily', 'weekly'] as const

/** Sunday first, as cron counts. */
function useWeekdays() {
  const locale = useLocale()
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, n) => ({ value: String(n), label: day.format(Date.UTC(2023, 0, 1 + n)) }))
}

/** What is sent for the passphrase: a new one, none, or the one that is. */
const passphraseOf = (typed: string, remove: boolean) => (typed ? typed : remove ? null : { set: true })

/** When backups are made by themselves, and how much room they may take. */
export function ScheduleForm({ schedule, timezone }: { schedule: Schedule; timezone: string }) {
  const t = useTranslations('backups')
  const refresh = useRefresh()
  const [values, setValues] = useState(schedule)
  const [limit, setLimit] = useState(String(schedule.storageLimitMb))
  const [typed, setTyped] = useState('')
  const [remove, setRemove] = useState(false)
  const { errors, busy, run } = useSubmit<'save'>()
  const change = (part: Partial<Schedule>) => setValues(before => ({ ...before, ...part }))
  const save = () =>
    run('save', async () => {
      const passphrase = passphraseOf(typed, remove)
      await callApi('backups/schedule', { ...values, storageLimitMb: Number(limit), passphrase })
      setTyped('')
      setRemove(false)
      toast('ok', t('saved'))
      await refresh('backups/list')
    })
  return (
    <div className="stack" style={{ maxInlineSize: 480 }}>
      <When {...{ values, change, timezone }} error={errors.time} />
      <TextField
        label={t('limit')}
        help={t('limitHelp')}
        error={errors.storageLimitMb}
        inputMode="numeric"
        unit="MB"
        value={limit}
        onChange={setLimit}
      />
      <TextField
        label={t('path')}
        help={t('pathHelp')}
        error={errors.path}
        optional
        dir="ltr"
        placeholder="/mnt/backup"
        value={values.path}
        onChange={path => change({ path })}
      />
      <SwitchField
        label={t('withHistory')}
        help={t('historyHelp')}
        checked={values.history}
        onChange={history => change({ history })}
      />
      <PasswordField
        label={t('passphrase')}
        help={schedule.passphrase.set ? t('passphraseKept') : t('passphraseHelp')}
        error={errors.passphrase}
        autoComplete="new-password"
        optional
        value={typed}
        onChange={setTyped}
      />
      {schedule.passphrase.set && <SwitchField label={t('removePassphrase')} checked={remove} onChange={setRemove} />}
      <div>
        <Button kind="primary" busy={busy !== undefined} onClick={() => void save()}>
          {t('save')}
        </Button>
      </div>
    </div>
  )
}

type WhenProps = {
  values: Schedule
  change: (part: Partial<Schedule>) => void
  timezone: string
  error: string | undefined
}

/** How often, on which day, at what time of the manager's clock. */
function When({ values, change, timezone, error }: WhenProps) {
  const t = useTranslations('backups')
  const weekdays = useWeekdays()
  return (
    <>
      <SelectField
        label={t('frequency')}
        value={values.frequency}
        options={frequencies.map(value => ({ value, label: t(`frequencies.${value}`) }))}
        onChange={value => change({ frequency: value as Schedule['frequency'] })}
      />
      {values.frequency === 'weekly' && (
        <SelectField
          label={t('weekday')}
          value={String(values.weekday)}
          options={weekdays}
          onChange={value => change({ weekday: Number(value) })}
        />
      )}
      {values.frequency !== 'off' && (
        <TextField
          label={t('time')}
          type="time"
          help={t('timeHelp', { zone: timezone })}
          value={values.time}
          error={error}
          onChange={time => change({ time })}
        />
      )}
    </>
  )
}
