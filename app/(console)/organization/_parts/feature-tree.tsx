import { useTranslations } from 'next-intl'
import type { AuthorityPreset } from '@/model/authority-presets'
import { FeaturePresets } from './feature-presets'
import {
  allAt,
  atMost,
  type Feature,
  hasLevel,
  heldWith,
  type Level,
  type Levels,
  levelOf,
  levels,
  mayGive,
} from './levels'

export type Areas = readonly { area: string; features: readonly Feature[] }[]

type Props = {
  areas: Areas
  held: readonly string[]
  /** Without it the tree is only shown. */
  onChange?: (held: string[]) => void
  /** Purposes to start from. */
  presets?: readonly AuthorityPreset[]
}

/** Features by area, each with none, read or edit, and all at once; what one does not hold oneself cannot be given, and says so. */
export function FeatureTree({ areas, held, onChange, presets }: Props) {
  const t = useTranslations('roles')
  const all = areas.flatMap(({ features }) => features)
  const now = Object.fromEntries(all.map(one => [one.read, levelOf(one, held)]))
  const put = onChange && ((wanted: Levels) => onChange(heldWith(all, held, wanted)))
  return (
    <>
      {put && presets && <FeaturePresets {...{ presets, now }} features={all} onChange={put} />}
      {put && (
        <div className="feature every">
          <b className="grow">{t('every')}</b>
          <LevelButtons
            name={t('every')}
            shown={levels}
            level={levels.find(level => all.every(one => now[one.read] === atMost(one, level)))}
            onChange={level => put(allAt(all, level))}
          />
        </div>
      )}
      {areas.map(({ area, features }) => (
        <fieldset key={area} className="features">
          <legend className="label">{t(`areas.${area as 'network'}`)}</legend>
          {features.map(feature => (
            <FeatureLine
              key={feature.read}
              feature={feature}
              level={now[feature.read] ?? 'none'}
              onChange={put && (level => put({ [feature.read]: level }))}
            />
          ))}
        </fieldset>
      ))}
      {put && <Granted features={all} now={now} />}
    </>
  )
}

/** All that is chosen, in a line or two: the tree is long. */
function Granted({ features, now }: { features: readonly Feature[]; now: Levels }) {
  const t = useTranslations('roles')
  const namesAt = (level: Level) =>
    features.filter(one => now[one.read] === level).map(one => t(`features.${one.read as 'devices'}`))
  const lines = (['edit', 'read'] as const).flatMap(level => {
    const names = namesAt(level)
    return names.length ? [{ level, names: names.join(', ') }] : []
  })
  if (lines.length === 0) return null
  return (
    <dl className="granted fine-print">
      {lines.map(({ level, names }) => (
        <div key={level}>
          <dt>{t(`granted.${level}`)}</dt>
          <dd>{names}</dd>
        </div>
      ))}
    </dl>
  )
}

type LevelsProps = {
  name: string
  shown: readonly Level[]
  level: Level | undefined
  may?: (level: Level) => boolean
  onChange: (level: Level) => void
}

function LevelButtons({ name, shown, level, may = () => true, onChange }: LevelsProps) {
  const t = useTranslations('roles.levels')
  return (
    <fieldset className="segments" aria-label={name}>
      {shown.map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={one === level}
          disabled={!may(one) && one !== level}
          onClick={() => onChange(one)}
        >
          {t(one)}
        </button>
      ))}
    </fieldset>
  )
}

type LineProps = { feature: Feature; level: Level; onChange?: (level: Level) => void }

function FeatureLine({ feature, level, onChange }: LineProps) {
  const t = useTranslations('roles')
  const name = t(`features.${feature.read as 'devices'}`)
  const shown = levels.filter(one => hasLevel(feature, one))
  const why = !feature.mayRead ? t('notYours') : feature.edits.length > 0 && !feature.mayEdit ? t('notYoursEdit') : ''
  return (
    <div className="feature">
      <span className="grow">
        {name}
        {onChange && why && <span className="help">{why}</span>}
      </span>
      {onChange ? (
        <LevelButtons {...{ name, shown, level, onChange }} may={one => mayGive(feature, one)} />
      ) : (
        <span className={level === 'none' ? 'muted' : 'medium'}>{t(`levels.${level}`)}</span>
      )}
    </div>
  )
}
