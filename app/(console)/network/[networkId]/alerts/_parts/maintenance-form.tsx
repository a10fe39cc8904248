'use client'
import { useLocale, useTranslations } from 'next-intl'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useTargets } from '@/app/_shared/device-choice'
import { SwitchField } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { NumberField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { WallField } from '@/app/_ui/wall-field'
import { limits } from '@/model/limits'

export type Windows = CallOutput<'alerts/maintenance/list'>
export type Window = Windows['result'][number]
type Values = {
  name: string
  repeat: 'once' | 'weekly'
  date: string
  weekday: string
  time: string
  minutes: number | undefined
  whole: boolean
  devices: string[]
}

const blank: Window['values'] = { name: '', repeat: 'once', time: '', minutes: 120 }

function valuesOf(row: Window | undefined): Values {
  const { date = '', weekday = 0, ...stored } = row?.values ?? blank
  const devices = (row?.devices ?? []).map(one => String(one.id))
  return { ...stored, date, weekday: String(weekday), whole: !row?.devices, devices }
}

/** Sunday first, as cron counts. */
export function useWeekdays(): string[] {
  const day = new Intl.DateTimeFormat(useLocale(), { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, n) => day.format(Date.UTC(2023, 0, 1 + n)))
}

function inputOf(row: Window | undefined, values: Values): CallInput<'alerts/maintenance/save'> {
  const { name, repeat, date, weekday, time, minutes, whole, devices } = values
  const day = repeat === 'once' ? { date: date || undefined } : { weekday: Number(weekday) }
  const fields = { name, repeat, ...day, time: time || undefined, minutes }
  return { ...(row && { id: row.id }), fields, devices: whole ? null : devices.map(Number) }
}

type Props = { row: Window | undefined; timezone: string; onClose: () => void }

/** Plans a maintenance window, or changes one: when, and of which devices. */
export function MaintenanceForm({ row, timezone, onClose }: Props) {
  const t = useTranslations('alerts.maintenance')
  const days = useWeekdays()
  const { values, put, field } = useFields(valuesOf(row))
  const targets = useTargets(values.devices.map(Number))
  const save = async () => {
    await callApi('alerts/maintenance/save', withNetwork(inputOf(row, values)))
    toast('ok', t('saved', { name: values.name.trim() }))
  }
  return (
    <ConfirmDialog
      open
      title={row ? t('editTitle', { name: row.values.name }) : t('makeTitle')}
      help={t('what')}
      action={t('save')}
      onClose={onClose}
      onConfirm={save}
    >
      {errors => (
        <>
          <TextField
            label={t('name')}
            maxLength={limits.apiKeyNameCharacters}
            autoComplete="off"
            {...field('name', errors)}
          />
          <SelectField
            label={t('repeat')}
            value={values.repeat}
            options={(['once', 'weekly'] as const).map(one => ({ value: one, label: t(`repeats.${one}`) }))}
            onChange={repeat => put({ repeat: repeat as Values['repeat'] })}
          />
          {values.repeat === 'once' ? (
            <WallField part="date" label={t('date')} {...field('date', errors)} />
          ) : (
            <SelectField
              label={t('weekday')}
              options={days.map((label, n) => ({ value: String(n), label }))}
              {...field('weekday', errors)}
            />
          )}
          <WallField part="time" label={t('time')} help={t('timeHelp', { timezone })} {...field('time', errors)} />
          <NumberField label={t('minutes')} help={t('minutesHelp')} {...field('minutes', errors)} />
          <SwitchField label={t('whole')} checked={values.whole} onChange={whole => put({ whole })} />
          {!values.whole && <MultiSelect label={t('devices')} {...targets.devices} {...field('devices', errors)} />}
        </>
      )}
    </ConfirmDialog>
  )
}
