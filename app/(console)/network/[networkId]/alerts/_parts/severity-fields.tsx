import { useTranslations } from 'next-intl'
import { Fold } from '@/app/_form/fold'
import { NumberField } from '@/app/_ui/field'
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
        wrong={keys.some(key => errors[`severities.${key}`] || errors[`delays.${key}`])}
      >
        <fieldset className="contents" disabled={!mayEdit}>
          <table className="severities" aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{t('columns.type')}</th>
                <th scope="col">{t('columns.severity')}</th>
                <th scope="col">{t('columns.delay')}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map(key => (
                <Type key={key} of={key} {...props} />
              ))}
            </tbody>
          </table>
        </fieldset>
      </Fold>
    )
  })
}

function Type({ of: key, value, put, errors }: Props & { of: SeverityKey }) {
  const t = useTranslations('alerts.config')
  const words = useTranslations('alerts.levels')
  const type = delayedAs(key)
  const name = t(`event.${key}`)
  const minutes = (isWatched(key) ? value.levelMinutes : 0) ?? ''
  const level = words(`${usual(key)}`)
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
    <tr className={differs(value, key) ? 'differs' : undefined}>
      <th scope="row">
        {name}
        {differs(value, key) && (
          <span className="muted fine-print">
            {type ? t('usualDelayed', { level, minutes: String(minutes) }) : t('usual', { level })}
          </span>
        )}
      </th>
      <td>
        <SelectField
          label={t('severityOf', { name })}
          options={levels.map(one => ({ value: String(one), label: words(`${one}`) }))}
          value={String(value.severities[key] ?? usual(key))}
          error={errors[`severities.${key}`]}
          onChange={chosen => choose(Number(chosen) as AlertLevel)}
        />
      </td>
      <td>
        {type && (
          <NumberField
            label={t('delayOf', { name })}
            placeholder={String(minutes)}
            value={value.delays[type]}
            error={errors[`delays.${type}`]}
            onChange={wait}
          />
        )}
      </td>
    </tr>
  )
}
