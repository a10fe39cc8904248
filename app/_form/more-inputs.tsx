'use client'
import { useTranslations } from 'next-intl'
import { TextArea } from '@/app/_ui/field'
import { type InputProps, typed } from './input-frame'

/** Text of several lines as machines write it. */
export function Block(props: InputProps) {
  return <TextArea {...typed(props)} rows={5} code dir="ltr" spellCheck={false} />
}

/** Short texts, one a line. A message names the entry it is about. */
export function Lines(props: InputProps) {
  const t = useTranslations('form')
  const value = (props.value as string[] | undefined) ?? []
  const entries = value.filter(line => line !== '')
  const [path, message] = Object.entries(props.inner ?? {})[0] ?? []
  const at = path === undefined ? undefined : entries[Number(path)]
  const error = at === undefined ? props.error : t('entry', { entry: at, message: message ?? '' })
  return (
    <TextArea
      {...typed({ ...props, ...(error !== undefined && { error }) })}
      rows={Math.min(10, Math.max(3, value.length + 1))}
      code
      spellCheck={false}
      value={value.join('\n')}
      onChange={text => props.onChange(text.split('\n').map(line => line.trim()))}
    />
  )
}
