import { useTranslations } from 'next-intl'
import type { Tree } from './role-form'

type Feature = Tree['result'][number]['features'][number]
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
  tree: Tree
  held: readonly string[]
  /** Without it the tree is only shown. */
  onChange?: (held: string[]) => void
}

/** Features by area, each with none, read or edit; what one does not hold oneself cannot be given, and says so. */
export function FeatureTree({ tree, held, onChange }: Props) {
  const t = useTranslations('roles')
  const set = (feature: Feature, level: Level) => {
    const others = held.filter(one => one !== feature.read && !(feature.edits as readonly string[]).includes(one))
    onChange?.([...others, ...ofLevel[level](feature)])
  }
  return tree.result.map(({ area, features }) => (
    <fieldset key={area} className="features">
      <legend className="lab">{t(`areas.${area}`)}</legend>
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
  const own = useTranslations('users.roles')
  const name = t(`features.${feature.read as 'devices'}`)
  const shown = levels.filter(one => one !== 'edit' || feature.edits.length > 0)
  const may = (one: Level) => one === 'none' || (one === 'read' ? feature.mayRead : feature.mayEdit)
  const why = !feature.mayRead
    ? own('notYours')
    : feature.edits.length > 0 && !feature.mayEdit
      ? own('notYoursEdit')
      : ''
  return (
    <div className="feature">
      <span className="grow">
        {name}
        {onChange && why && <span className="help">{why}</span>}
      </span>
      {onChange ? (
        <fieldset className="seg" aria-label={name}>
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
        <span className={level === 'none' ? 'muted' : 'med'}>{t(`levels.${level}`)}</span>
      )}
    </div>
  )
}
