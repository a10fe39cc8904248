import { useTranslations } from 'next-intl'
import { SwitchField } from '@/app/_ui/check'
import { SelectField } from '@/app/_ui/select-field'
import { WallField } from '@/app/_ui/wall-field'
import type { AlertConfig } from '@/model/notify/alert-config'

type Quiet = Pick<AlertConfig, 'quiet' | 'quietFrom' | 'quietUntil' | 'quietLevel'>
type Props = {
  value: Quiet
  put: (change: Partial<Quiet>) => void
  errors: Readonly<Record<string, string | undefined>>
}

/** When people want to be told of what is grave alone, and of the rest together afterwards. */
export function QuietFields({ value, put, errors }: Props) {
  const t = useTranslations('alerts.config.quiet')
  return (
    <>
      <SwitchField label={t('on')} help={t('help')} checked={value.quiet} onChange={quiet => put({ quiet })} />
      {value.quiet && (
        <>
          <WallField
            part="time"
            label={t('from')}
            value={value.quietFrom}
            onChange={quietFrom => put({ quietFrom })}
            error={errors.quietFrom}
          />
          <WallField
            part="time"
            label={t('until')}
            value={value.quietUntil}
            onChange={quietUntil => put({ quietUntil })}
            error={errors.quietUntil}
          />
          <SelectField
            label={t('level')}
            value={value.quietLevel}
            options={(['5', '10'] as const).map(one => ({ value: one, label: t(`levels.${one}`) }))}
            onChange={level => put({ quietLevel: level as Quiet['quietLevel'] })}
          />
        </>
      )}
    </>
  )
}
