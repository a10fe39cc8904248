import { useTranslations } from 'next-intl'
import { replacedKeys } from '@/app/_form/preset'
import { PresetChoice, usePreset } from '@/app/_form/preset-choice'
import { Note } from '@/app/_ui/note'
import type { AuthorityPreset } from '@/model/authority-presets'
import { allAt, type Feature, type Levels, lacking, presetLevels } from './levels'

type Props = {
  presets: readonly AuthorityPreset[]
  features: readonly Feature[]
  now: Levels
  /** Takes the levels that become others. */
  onChange: (levels: Levels) => void
}

/** Above a new role's or key's features: purposes that set each of them, as far as the maker may give it. */
export function FeaturePresets({ presets, features, now, onChange }: Props) {
  const t = useTranslations('roles')
  const { use, take, undo } = usePreset(now, next =>
    onChange(Object.fromEntries(Object.entries(next as Levels).filter(([name, level]) => level !== now[name]))),
  )
  const chosen = presets.find(one => one.id === use?.id)
  const lacks = chosen ? lacking(chosen, features) : []
  const givesNothing = (preset: AuthorityPreset) =>
    Object.values(presetLevels(preset, features)).every(level => level === 'none')
  const options = presets.map(preset => ({
    value: preset.id,
    label: t(`presets.${preset.id as 'viewer'}.label`),
    help: givesNothing(preset) ? t('notYours') : t(`presets.${preset.id as 'viewer'}.help`),
    disabled: givesNothing(preset),
  }))
  const onTake = (id: string) =>
    take(id, () => {
      const preset = presets.find(one => one.id === id)
      return preset ? presetLevels(preset, features) : {}
    })
  const replaced = use ? replacedKeys(use, now, allAt(features, 'none')) : []
  return (
    <PresetChoice
      options={options}
      chosen={use?.id}
      onTake={onTake}
      onUndo={undo}
      said={<span>{replaced.length ? t('presets.replaced') : t('presets.set')}</span>}
    >
      {lacks.length > 0 && (
        <Note tone="warn">
          {t('presets.lacks', { names: lacks.map(name => t(`features.${name as 'devices'}`)).join(', ') })}
        </Note>
      )}
    </PresetChoice>
  )
}
