'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { Icon } from '@/app/_ui/icon'

export type Language = { code: string; name: string }

const reloadAfterMs = 300

/** The language of this browser, before anybody signed in. */
export function LanguagePick({ languages, current }: { languages: readonly Language[]; current: string }) {
  const t = useTranslations('signIn')
  const choose = async (lang: string) => {
    await callApi('language/set', { lang })
    setTimeout(() => window.location.reload(), reloadAfterMs)
  }
  return (
    <span className="language-pick">
      <Icon name="globe" />
      <select
        className="button ghost"
        aria-label={t('language')}
        defaultValue={current}
        onChange={event => void choose(event.target.value).catch(() => undefined)}
      >
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" size="sm" />
    </span>
  )
}
