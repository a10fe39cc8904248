import { useTranslations } from 'next-intl'
import { NumberField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'

export type RateUnit = 'Kbps' | 'Mbps'

/** As it was entered; no limit is no number. */
export const rateOf = (kbps: number | null): [number | undefined, RateUnit] =>
  kbps === null ? [undefined, 'Mbps'] : kbps >= 1000 ? [kbps / 1000, 'Mbps'] : [kbps, 'Kbps']
export const kbpsOf = (rate: number | undefined, unit: RateUnit): number | null =>
  rate === undefined ? null : rate * (unit === 'Mbps' ? 1000 : 1)

type RateProps = {
  label: string
  value: number | undefined
  unit: RateUnit
  error: string | undefined
  onChange: (value: number | undefined, unit: RateUnit) => void
}

/** A number and its unit; empty is no limit. */
export function Rate({ label, value, unit, error, onChange }: RateProps) {
  const t = useTranslations('vouchers.form')
  return (
    <div className="voucher-rate">
      <NumberField
        label={label}
        help={t('rateHelp')}
        optional
        value={value}
        error={error}
        onChange={next => onChange(next, unit)}
      />
      <SelectField
        label={t('unitOf')}
        value={unit}
        options={[
          { value: 'Kbps', label: 'Kbps' },
          { value: 'Mbps', label: 'Mbps' },
        ]}
        onChange={next => onChange(value, next as RateUnit)}
      />
    </div>
  )
}
