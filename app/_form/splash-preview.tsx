'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { Segments } from '@/app/_ui/check'
import type { Data } from '@/model/kind'
import type { Locale } from '@/model/locales'

const widths = { phone: 390, desktop: 1024 } as const
type Width = keyof typeof widths
type Scheme = 'light' | 'dark'

/** Between a key and the page drawn anew. */
const pauseMs = 300

type Look = { fields: Data; id: string | undefined; scheme: Scheme; language: Locale | undefined }

/** The page that the manager draws of what is typed; the last one while the manager does not answer. */
function usePage({ fields, id, scheme, language }: Look): string | undefined {
  const [page, setPage] = useState<string>()
  const asked = JSON.stringify({ splash: fields, scheme, ...(id && { id }), ...(language && { language }) })
  useEffect(() => {
    let over = false
    const timer = setTimeout(async () => {
      const answer = await callApi('guests/page/preview', withNetwork(JSON.parse(asked)), {
        quiet: true,
        asks: true,
      }).catch(error => {
        if (!(error instanceof ApiError)) throw error
      })
      if (answer && !over) setPage(answer.page)
    }, pauseMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [asked])
  return page
}

const languagesIn = (texts: unknown): Locale[] =>
  Array.isArray(texts)
    ? [...new Set(texts.map(one => (one as { language?: Locale }).language).filter(one => !!one))]
    : []

/**
 * A splash page while it is edited, as phones and desktops show it. In a frame that runs no script, sends no form and is of
 * no origin.
 */
export function SplashPreview({ fields, id }: { fields: Data; id: string | undefined }) {
  const t = useTranslations('form.preview')
  const [width, setWidth] = useState<Width>('phone')
  const [scheme, setScheme] = useState<Scheme>('light')
  const [chosen, setChosen] = useState<Locale>()
  const languages = languagesIn(fields.texts)
  const language = chosen && languages.includes(chosen) ? chosen : languages[0]
  const page = usePage({ fields, id, scheme, language })
  const named = (tag: string) => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return (
    <section className="card splash-preview" aria-label={t('title')}>
      <h2>{t('title')}</h2>
      <div className="row">
        <Segments
          label={t('width')}
          value={width}
          onChange={one => setWidth(one as Width)}
          options={(Object.keys(widths) as Width[]).map(value => ({ value, label: t(value) }))}
        />
        <Segments
          label={t('scheme')}
          value={scheme}
          onChange={one => setScheme(one as Scheme)}
          options={(['light', 'dark'] as const).map(value => ({ value, label: t(value) }))}
        />
        {languages.length > 1 && (
          <Segments
            label={t('language')}
            value={language ?? ''}
            onChange={one => setChosen(one as Locale)}
            options={languages.map(value => ({ value, label: named(value) }))}
          />
        )}
      </div>
      <div className="splash-frame" data-width={width}>
        <iframe sandbox="" title={t('frame')} srcDoc={page ?? ''} width={widths[width]} height={720} />
      </div>
    </section>
  )
}
