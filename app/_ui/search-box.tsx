'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { IconButton } from './button'
import { useEarlyText } from './early'
import { Icon } from './icon'

type Props = { value: string; onSearch: (value: string) => void; placeholder: string }

/** Searches on Enter; `/` leads here from anywhere on the page. */
export function SearchBox({ value, onSearch, placeholder }: Props) {
  const t = useTranslations('common')
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const [asked, setAsked] = useState(value)
  const input = useEarlyText<HTMLInputElement>(setText)
  // What was asked for here comes back as the value a moment later, when more may have been typed.
  if (known !== value) {
    setKnown(value)
    setAsked(value)
    if (value !== asked) setText(value)
  }
  const search = (wanted: string) => {
    setAsked(wanted)
    onSearch(wanted)
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        target.closest('input, textarea, select, [role=dialog]')
      )
        return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [input])
  return (
    <search>
      <form
        className="input search"
        onSubmit={event => {
          event.preventDefault()
          search(text.trim())
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          placeholder={placeholder}
          aria-label={placeholder}
          enterKeyHint="search"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {text !== '' && (
          <IconButton
            small
            kind="ghost"
            icon="close"
            label={t('clearSearch')}
            onClick={() => {
              setText('')
              search('')
            }}
          />
        )}
      </form>
    </search>
  )
}
