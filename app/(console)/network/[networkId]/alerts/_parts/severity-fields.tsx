import { useTranslations } from 'next-intl'
import { NumberField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import type { AlertConfig } from '@/model/notify/alert-config'
import { type AlertLevel, delayed, levelOf, severityKeys, thresholds } from '@/model/notify/catalogue'

type Values = Pick<AlertConfig, 'severities' | 'delays' | 'levelMinutes'>
type Key = (typeof severityKeys)[number]
type Props = {
  value: Omit<Values, 'levelMinutes'> & { levelMinutes: number | undefined }
  put: (change: Partial<Values>) => void
  errors: Readonly<Record<string, string | undefined>>
}

const levels = [5, 10, 15] as const satisfies readonly AlertLevel[]

const usual = (key: Key): AlertLevel => {
  const [type = '', grade] = key.split(':')
  return levelOf(type as Parameters<typeof levelOf>[0], grade)
}
const delayedAs = (key: Key) => delayed.find(type => type === key)
const isWatched = (key: Key) => thresholds.some(({ type }) => type === key)

/** How grave each type of alert is in this network, and how long a trouble has to last before anybody is told. */
export function SeverityFields({ value, put, errors }: Props) {
  const t = useTranslations('alerts.config')
  const words = useTranslations('alerts.levels')
  const choose = (key: Key, level: AlertLevel) => {
    const { [key]: _, ...others } = value.severities
    put({ severities: level === usual(key) ? others : { ...others, [key]: level } })
  }
  const wait = (type: (typeof delayed)[number], minutes: number | undefined) => {
    const { [type]: _, ...others } = value.delays
    put({ delays: minutes === undefined ? others : { ...others, [type]: minutes } })
  }
  return severityKeys.map(key => {
    const type = delayedAs(key)
    return (
      <div className="two-columns" key={key}>
        <SelectField
          label={t(`event.${key}`)}
          options={levels.map(level => ({
            value: String(level),
            label: level === usual(key) ? t('usual', { level: words(`${level}`) }) : words(`${level}`),
          }))}
          value={String(value.severities[key] ?? usual(key))}
          error={errors[`severities.${key}`]}
          onChange={level => choose(key, Number(level) as AlertLevel)}
        />
        {type && (
          <NumberField
            label={t('delayOf', { name: t(`event.${key}`) })}
            optional
            placeholder={String(isWatched(key) ? (value.levelMinutes ?? '') : 0)}
            value={value.delays[type]}
            error={errors[`delays.${type}`]}
            onChange={minutes => wait(type, minutes)}
          />
        )}
      </div>
    )
  })
}
