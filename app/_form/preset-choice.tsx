'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/app/_ui/button'
import type { Option } from '@/app/_ui/check'
import { ComboField } from '@/app/_ui/combo-field'
import type { Data } from '@/model/kind'
import { isOver, type PresetUse, presetUse, withoutPreset } from './preset'

/** What presets do to values: one takes the place of another, and can be taken back. */
export function usePreset(now: Data, put: (next: Data) => void) {
  const [use, setUse] = useState<PresetUse>()
  const take = (id: string, fields: (without: Data) => Data) => {
    const without = withoutPreset(now, use)
    const next = presetUse(id, fields(without), now, use)
    setUse(next)
    put({ ...without, ...next.filled })
  }
  const undo = () => {
    put(withoutPreset(now, use))
    setUse(undefined)
  }
  return { use: use && !isOver(use, now) ? use : undefined, take, undo }
}

/** More than these are a list to search. */
const mostCards = 6

type Props = {
  options: readonly Option[]
  chosen: string | undefined
  onTake: (id: string) => void
  onUndo: () => void
  /** A card of its own, not a part of another. */
  card?: boolean
  /** While one is chosen: what it did. */
  said: ReactNode
  /** Below that. */
  children?: ReactNode
}

/** Purposes that a new form starts from. What one filled in is said, and can be taken back. */
export function PresetChoice({ options, chosen, onTake, onUndo, card, said, children }: Props) {
  const t = useTranslations('common.presets')
  const choice = useRef<HTMLDivElement>(null)
  const asList = options.length > mostCards
  const undo = () => {
    onUndo()
    // The button that had the focus is gone with what it undid.
    const find = (what: string) => choice.current?.querySelector<HTMLElement>(what)
    const next = find('[aria-pressed="true"]') ?? find('button')
    next?.focus()
  }
  const Frame = asList ? 'div' : 'fieldset'
  return (
    <Frame className={card ? 'presets card' : 'presets'}>
      {!asList && <legend className="visually-hidden">{t('title')}</legend>}
      <div ref={choice}>
        {asList ? (
          <ComboField label={t('title')} value={chosen ?? ''} options={options} onChange={onTake} />
        ) : (
          <Cards {...{ options, chosen, onTake }} />
        )}
      </div>
      <div role="status">
        {chosen !== undefined && (
          <>
            <p className="row wrapping fine-print">
              {said}
              <Button small kind="ghost" icon="undo" onClick={undo}>
                {t('undo')}
              </Button>
            </p>
            {children}
          </>
        )}
      </div>
    </Frame>
  )
}

function Cards({ options, chosen, onTake }: Pick<Props, 'options' | 'chosen' | 'onTake'>) {
  const t = useTranslations('common.presets')
  return (
    <>
      <b aria-hidden="true">{t('title')}</b>
      <div className="choice">
        {options.map(({ value, label, help, disabled }) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === chosen}
            disabled={disabled}
            onClick={() => onTake(value)}
          >
            <b>{label}</b>
            <span className="help">{help}</span>
          </button>
        ))}
      </div>
    </>
  )
}
