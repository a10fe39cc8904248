import { useTranslations } from 'next-intl'
import type { useFields } from '@/app/_api/use-fields'
import { SwitchField } from '@/app/_ui/check'
import { useClock } from '@/app/_ui/clock'
import { Below, NumberField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { formatTime } from '@/app/_ui/time'
import { limits } from '@/model/limits'
import { Rate } from '../../_parts/rate'
import type { FormValues } from './form-values'

type Part = Pick<ReturnType<typeof useFields<FormValues>>, 'values' | 'put' | 'field'> & {
  errors: Readonly<Record<string, string>>
}

export function MainFields({ field, errors, values, put, fresh }: Part & { fresh: boolean }) {
  const t = useTranslations('vouchers.form')
  return (
    <>
      <TextField
        label={t('name')}
        help={t('nameHelp')}
        maxLength={limits.voucherGroupNameCharacters}
        autoComplete="off"
        {...field('name', errors)}
      />
      <SwitchField
        label={t('desk')}
        help={t('deskHelp')}
        checked={values.desk}
        onChange={desk => put({ desk, ...(fresh && { quantity: desk ? undefined : 20 }) })}
      />
      {fresh && (
        <NumberField
          label={t('quantity')}
          help={t(values.desk ? 'quantityDesk' : 'quantityHelp')}
          optional={values.desk}
          {...field('quantity', errors)}
        />
      )}
      <fieldset className="field">
        <legend className="label">{t('lasting')}</legend>
        <div className="lasting">
          <NumberField label={t('days')} {...field('days', errors)} />
          <NumberField label={t('hours')} {...field('hours', errors)} />
          <NumberField label={t('minutes')} {...field('minutes', errors)} />
        </div>
        <Below help={t('lastingHelp')} />
      </fieldset>
      <NumberField
        label={t('validityDays')}
        help={t('validityHelp')}
        unit={t('daysUnit')}
        {...field('validityDays', errors)}
      />
      <NumberField label={t('maxDevices')} help={t('maxDevicesHelp')} {...field('maxDevices', errors)} />
      <TextField
        label={t('notes')}
        help={t('notesHelp')}
        optional
        maxLength={limits.textCharacters}
        autoComplete="off"
        {...field('notes', errors)}
      />
    </>
  )
}

export function LimitFields({ field, errors, values, put }: Part) {
  const t = useTranslations('vouchers.form')
  return (
    <>
      <NumberField
        label={t('byteLimitMb')}
        help={t('byteLimitHelp')}
        optional
        unit="MB"
        {...field('byteLimitMb', errors)}
      />
      {values.byteLimitMb !== undefined && (
        <SelectField
          label={t('bytesPer')}
          value={values.bytesPer}
          error={errors.bytesPer}
          options={[
            { value: 'voucher', label: t('perVoucher') },
            { value: 'device', label: t('perDevice') },
          ]}
          onChange={bytesPer => put({ bytesPer: bytesPer as FormValues['bytesPer'] })}
        />
      )}
      <Rate
        {...{ label: t('download'), value: values.download, unit: values.downloadUnit, error: errors.downloadKbps }}
        onChange={(download, downloadUnit) => put({ download, downloadUnit })}
      />
      <Rate
        {...{ label: t('upload'), value: values.upload, unit: values.uploadUnit, error: errors.uploadKbps }}
        onChange={(upload, uploadUnit) => put({ upload, uploadUnit })}
      />
    </>
  )
}

const hourMs = 3_600_000
const hours = Array.from({ length: 24 }, (_, hour) => hour)

export function ResetFields({ field, errors, values, put, zone }: Part & { zone: string }) {
  const t = useTranslations('vouchers.form')
  const { style } = useClock()
  const on = values.resetDays !== undefined && values.resetDays !== 0
  return (
    <>
      <NumberField
        label={t('resetDays')}
        help={t('resetDaysHelp')}
        unit={t('daysUnit')}
        {...field('resetDays', errors)}
      />
      {on && (
        <SelectField
          label={t('resetHour')}
          help={t('resetHourHelp', { zone })}
          value={values.resetHour}
          error={errors.resetHour}
          options={hours.map(hour => ({
            value: String(hour),
            label: formatTime(hour * hourMs, { ...style, timeZone: 'UTC' }),
          }))}
          onChange={resetHour => put({ resetHour })}
        />
      )}
    </>
  )
}
