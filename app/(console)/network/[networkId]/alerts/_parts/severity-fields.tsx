import { useTranslations } from 'next-intl'
import { Fold } from '@/app/_form/fold'
import { NumberField } from '@/app/_ui/field'
import { Icon } from '@/app/_ui/icon'
import { SelectField } from '@/app/_ui/select-field'
import { alertAreas, severitiesIn } from '@/model/notify/alert-areas'
import type { AlertConfig } from '@/model/notify/alert-config'
import { type AlertLevel, delayed, levelOf, type SeverityKey, thresholds } from '@/model/notify/catalogue'
import './severity-fields.css'

type Values = Pick<AlertConfig, 'severities' | 'delays' | 'levelMinutes'>
type Props = {
  value: Omit<Values, 'levelMinutes'> & { levelMinutes: number | undefined }
  put: (change: Partial<Values>) => void
  errors: Readonly<Record<string, string | undefined>>
  mayEdit: boolean
}

const levels = [5, 10, 15] as const satisfies readonly AlertLevel[]

const usual = (key: SeverityKey): AlertLevel => {
  const [type = '', grade] = key.split(':')
  return levelOf(type as Parameters<typeof levelOf>[0], grade)
}
const delayedAs = (key: SeverityKey) => delayed.find(type => type === key)
const isWatched = (key: SeverityKey) => thresholds.some(({ type }) => type === key)

/** Whether the network says something else of a type than the catalogue. */
function differs({ severities, delays }: Props['value'], key: SeverityKey): boolean {
  const type = delayedAs(key)
  return severities[key] !== undefined || (type !== undefined && delays[type] !== undefined)
}
const isWrong = (errors: Props['errors'], key: SeverityKey) =>
  errors[`severities.${key}`] !== undefined || errors[`delays.${key}`] !== undefined

/** How grave each type of alert is in this network, and how long a trouble has to last before anybody is told; by area. */
export function SeverityFields(props: Props) {
  const { value, errors, mayEdit } = props
  const t = useTranslations('alerts.config')
  return alertAreas.map(area => {
    const keys = severitiesIn(area)
    const title = t(`areas.${area}`)
    return (
      <Fold
        key={area}
        id={`severity-${area}`}
        title={title}
        nested
        differs={keys.filter(key => differs(value, key)).map(key => t(`event.${key}`))}
        wrong={keys.some(key => isWrong(errors, key))}
      >
        <fieldset className="contents" disabled={!mayEdit}>
          <ul className="severities" aria-label={title}>
            {keys.map(key => (
              <Type key={key} of={key} {...props} />
            ))}
          </ul>
        </fieldset>
      </Fold>
    )
  })
}

/** A line that says what holds, and opens to change it. */
function Type({ of: key, value, put, errors }: Props & { of: SeverityKey }) {
  const t = useTranslations('alerts.config')
  const words = useTranslations('alerts.levels')
  const type = delayedAs(key)
  const name = t(`event.${key}`)
  const usualMinutes = isWatched(key) ? value.levelMinutes : 0
  const said = (level: AlertLevel, minutes: number | undefined) =>
    type && minutes !== undefined
      ? t('delayed', { level: words(`${level}`), minutes: String(minutes) })
      : words(`${level}`)
  const level = value.severities[key] ?? usual(key)
  const wrong = isWrong(errors, key)
  const choose = (chosen: AlertLevel) => {
    const { [key]: _, ...others } = value.severities
    put({ severities: chosen === usual(key) ? others : { ...others, [key]: chosen } })
  }
  const wait = (chosen: number | undefined) => {
    if (!type) return
    const { [type]: _, ...others } = value.delays
    put({ delays: chosen === undefined ? others : { ...others, [type]: chosen } })
  }
  return (
    <li>
      <details className="fold-line" open={wrong || undefined}>
        <summary className={differs(value, key) ? 'strong' : undefined}>
          <span className="grow">{name}</span>
          <span className="soft">{said(level, (type && value.delays[type]) ?? usualMinutes)}</span>
          <Icon name="right" size="sm" flip />
        </summary>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset lays out no grid in older browsers */}
        <div className="severity" role="group" aria-label={name}>
          <SelectField
            label={t('columns.severity')}
            options={levels.map(one => ({ value: String(one), label: words(`${one}`) }))}
            value={String(level)}
            error={errors[`severities.${key}`]}
            onChange={chosen => choose(Number(chosen) as AlertLevel)}
          />
          {type && (
            <NumberField
              label={t('columns.delay')}
              placeholder={String(usualMinutes ?? '')}
              value={value.delays[type]}
              error={errors[`delays.${type}`]}
              onChange={wait}
            />
          )}
          <p className="muted fine-print">{t('usual', { usual: said(usual(key), usualMinutes) })}</p>
        </div>
      </details>
    </li>
  )
}
