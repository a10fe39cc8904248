import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { TextArea } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'

/** Which segments of one's own webhooks may go to: for who keeps the manager. */
export function HookSegments({ segments }: { segments: readonly string[] }) {
  const t = useTranslations('webhooks.segments')
  const [text, setText] = useState(() => segments.join('\n'))
  const { errors, busy, run } = useSubmit<'save'>()
  const save = () =>
    run('save', async () => {
      const saved = await callApi('webhooks/segments/save', { segments: text.split(/[\s,;]+/).filter(Boolean) })
      setText(saved.segments.join('\n'))
      toast('ok', t('saved'))
    })
  const error = Object.entries(errors).find(([name]) => name.startsWith('segments'))?.[1]
  return (
    <section className="card" aria-label={t('title')}>
      <header>
        <h2>{t('title')}</h2>
      </header>
      <form
        className="padded contents-gap"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <TextArea
          label={t('label')}
          help={t('help')}
          error={error}
          code
          rows={3}
          dir="ltr"
          spellCheck={false}
          value={text}
          onChange={setText}
        />
        <div>
          <Button type="submit" kind="primary" busy={busy === 'save'}>
            {t('save')}
          </Button>
        </div>
      </form>
    </section>
  )
}
