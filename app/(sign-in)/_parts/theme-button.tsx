'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { wordOr } from '@/app/_i18n/word'
import { IconButton } from '@/app/_ui/button'
import { shownTheme, showTheme } from '@/app/_ui/theme'

const icons = ['display', 'sun', 'moon', 'contrast'] as const

/** Goes through follow system, light, dark, white. */
export function ThemeButton() {
  const t = useTranslations('common.theme')
  const [appearance, setAppearance] = useState(0)
  useEffect(() => setAppearance(shownTheme()), [])
  const next = () => {
    const wanted = (appearance + 1) % icons.length
    setAppearance(wanted)
    showTheme(wanted)
    // Seen already: that it is not kept is nothing to tell.
    callApi('appearance/set', { appearance: wanted }, { quiet: true }).catch(() => undefined)
  }
  return (
    <IconButton
      kind="ghost"
      icon={icons[appearance] ?? 'display'}
      label={t('button', { name: wordOr(t, String(appearance)) })}
      onClick={next}
    />
  )
}
