'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { CheckboxGroup } from './check'

type Counts = { keys: number; webhooks: number }
type Kind = keyof Counts

/** Which of what a new password leaves working is to end with the old one; none until it is ticked. */
export function useAccessLeft(counts: Counts | undefined) {
  const [ticked, setTicked] = useState<readonly Kind[]>([])
  return {
    counts,
    ticked,
    setTicked,
    values: { endKeys: ticked.includes('keys'), endWebhooks: ticked.includes('webhooks') },
  }
}

/** The choice, where there is anything to choose. */
export function AccessLeft({ entry }: { entry: ReturnType<typeof useAccessLeft> }) {
  const t = useTranslations('common.goesOn')
  const { counts, ticked, setTicked } = entry
  const kinds = (['keys', 'webhooks'] as const).filter(kind => counts && counts[kind] > 0)
  if (!counts || kinds.length === 0) return null
  return (
    <CheckboxGroup
      label={t('label')}
      help={t('help')}
      options={kinds.map(kind => ({ value: kind, label: t(kind, { count: counts[kind] }) }))}
      value={[...ticked]}
      onChange={next => setTicked(kinds.filter(kind => next.includes(kind)))}
    />
  )
}
