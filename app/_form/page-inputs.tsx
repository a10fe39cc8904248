'use client'
import { useTranslations } from 'next-intl'
import { TextArea, TextField } from '@/app/_ui/field'
import { isColour } from '@/model/guests/colours'
import { type InputProps, typed } from './input-frame'

/** A colour, typed as its six digits or picked with the browser's own picker. */
export function ColourInput(props: InputProps) {
  const t = useTranslations('form')
  const { value, onChange, words, spec } = props
  const picked = typeof value === 'string' && isColour(value) ? value : '#000000'
  return (
    <div className="colour-line">
      <TextField {...typed(props)} dir="ltr" autoComplete="off" spellCheck={false} name={props.path ?? spec.key} />
      <input
        type="color"
        className="colour-pick"
        aria-label={t('pickColour', { name: words.label(spec.key) })}
        value={picked}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}

/** What people read, in their own way of writing. */
export function Prose(props: InputProps) {
  return <TextArea {...typed(props)} rows={3} dir="auto" />
}
