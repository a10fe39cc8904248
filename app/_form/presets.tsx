'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Note } from '@/app/_ui/note'
import type { Data } from '@/model/kind'
import type { KindId } from '@/model/registry'
import { filledKeys, replacedKeys } from './preset'
import { PresetChoice, usePreset } from './preset-choice'
import type { FormSpec } from './spec'
import type { DocumentForm } from './use-document'
import type { Words } from './use-words'

/** Values for a purpose. `danger`: its words warn of it. */
type Preset = { id: string; fields: Data; danger?: true }

const loads: Partial<Record<KindId, () => Promise<readonly Preset[]>>> = {
  ssid: async () => (await import('@/model/wifi/presets')).ssidPresets,
  portForward: async () => (await import('@/model/firewall/forward-presets')).forwardPresets,
}
/** Kinds of which a document without a name is called as the preset. */
const named: ReadonlySet<KindId> = new Set<KindId>(['portForward'])

const none: readonly Preset[] = []

/** Those of the kind; undefined while they are loaded. `wanted`: a new document is made. */
export function usePresets(kind: KindId, wanted: boolean): readonly Preset[] | undefined {
  const load = wanted ? loads[kind] : undefined
  const [loaded, setLoaded] = useState<readonly Preset[]>()
  useEffect(() => {
    // Without them a form is still whole.
    load?.().then(setLoaded, () => setLoaded(none))
  }, [load])
  return load ? loaded : none
}

type Props = { presets: readonly Preset[]; spec: FormSpec; words: Words; form: DocumentForm; start: Data }

/** Above a new document: purposes that fill fields in. */
export function Presets({ presets, spec, words, form, start }: Props) {
  const t = useTranslations('common.presets')
  const { fields: now } = form.values
  const { use, take, undo } = usePreset(now, form.fill)
  if (presets.length === 0) return null
  const chosen = presets.find(one => one.id === use?.id)
  const shown = (key: string, value: unknown) => (spec.fields[key] ? words.shown(spec.fields[key], value) : '')
  const options = presets.map(({ id, fields }) => ({
    value: id,
    label: words.word(`presets.${id}.label`),
    help:
      words.maybe(`presets.${id}.help`) ??
      Object.entries(fields)
        .map(([key, value]) => shown(key, value))
        .join(' · '),
  }))
  const onTake = (id: string) =>
    take(id, without => {
      const fields = presets.find(one => one.id === id)?.fields ?? {}
      const nameless = named.has(spec.id) && !without[spec.title]
      return nameless ? { [spec.title]: words.word(`presets.${id}.label`), ...fields } : fields
    })
  const filled = use ? filledKeys(use, now) : []
  const replaced = use ? replacedKeys(use, now, start) : []
  const names = (keys: readonly string[]) => keys.map(words.label).join(', ')
  const hint = chosen && words.maybe(`presets.${chosen.id}.hint`)
  return (
    <PresetChoice
      card
      options={options}
      chosen={use?.id}
      onTake={onTake}
      onUndo={undo}
      said={
        <span>
          {filled.length ? t('filled', { count: filled.length, names: names(filled) }) : t('same')}
          {replaced.length > 0 && ` ${t('replaced', { names: names(replaced) })}`}
        </span>
      }
    >
      {chosen?.danger && (
        <Note tone="warn" title={words.word('presets.danger')}>
          {words.word(`presets.${chosen.id}.danger`)}
        </Note>
      )}
      {hint !== undefined && <Note tone="info">{hint}</Note>}
    </PresetChoice>
  )
}
