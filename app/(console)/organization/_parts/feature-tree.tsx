import { useTranslations } from 'next-intl'

/** A feature by its names of model/authority.ts, and whether the person who chooses may give its reading and its changing. */
type Feature = { read: string; edits: readonly string[]; mayRead: boolean; mayEdit: boolean }
export type Areas = readonly { area: string; features: readonly Feature[] }[]
const levels = ['none', 'read', 'edit'] as const
type Level = (typeof levels)[number]

const levelOf = ({ read, edits }: Feature, held: readonly string[]): Level =>
  edits.some(one => held.includes(one)) ? 'edit' : held.includes(read) ? 'read' : 'none'

const ofLevel: Record<Level, (feature: Feature) => readonly string[]> = {
  none: () => [],
  read: ({ read }) => [read],
  edit: ({ read, edits }) => [read, ...edits],
}

type Props = {
  areas: Areas
  held: readonly string[]
  /** Without it the tree is only shown. */
  onChange?: (held: string[]) => void
}

/** Features by area, each with none, read or edit; what one does not hold oneself cannot be given, and says so. */
export function FeatureTree({ areas, held, onChange }: Props) {
  const t = useTranslations('roles')
  const set = (feature: Feature, level: Level) => {
    const others = held.filter(one => one !== feature.read && !feature.edits.includes(one))
    onChange?.([...others, ...ofLevel[level](feature)])
  }
  return areas.map(({ area, features }) => (
    <fieldset key={area} className="features">
      <legend className="label">{t(`areas.${area as 'network'}`)}</legend>
      {features.map(feature => (
        <FeatureLine
          key={feature.read}
          feature={feature}
          level={levelOf(feature, held)}
          onChange={onChange && (level => set(feature, level))}
        />
      ))}
    </fieldset>
  ))
}

type LineProps = { feature: Feature; level: Level; onChange?: (level: Level) => void }

function FeatureLine({ feature, level, onChange }: LineProps) {
  const t = useTranslations('roles')
  const name = t(`features.${feature.read as 'devices'}`)
  const shown = levels.filter(one => one !== 'edit' || feature.edits.length > 0)
  const may = (one: Level) => one === 'none' || (one === 'read' ? feature.mayRead : feature.mayEdit)
  const why = !feature.mayRead ? t('notYours') : feature.edits.length > 0 && !feature.mayEdit ? t('notYoursEdit') : ''
  return (
    <div className="feature">
      <span className="grow">
        {name}
        {onChange && why && <span className="help">{why}</span>}
      </span>
      {onChange ? (
        <fieldset className="segments" aria-label={name}>
          {shown.map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={one === level}
              disabled={!may(one) && one !== level}
              onClick={() => onChange(one)}
            >
              {t(`levels.${one}`)}
            </button>
          ))}
        </fieldset>
      ) : (
        <span className={level === 'none' ? 'muted' : 'medium'}>{t(`levels.${level}`)}</span>
      )}
    </div>
  )
}
