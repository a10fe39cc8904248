import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ChoiceCards } from '@/app/_ui/check'
import { TextField } from '@/app/_ui/field'
import { InstantField } from '@/app/_ui/instant-field'

const seconds = { hour: 3600, day: 86_400 } as const
const periods = ['good', 'hour', 'day', 'moment'] as const
type Period = (typeof periods)[number]

const after = (count: number) => `${new Date(Date.now() + count * 1000).toJSON().slice(0, 19)}Z`

/** How long somebody is blocked, and why: `input` gives what a call takes, counted from when it is asked. */
export function useBlockTerm(before = '') {
  const [period, setPeriod] = useState<Period>('good')
  const [moment, setMoment] = useState<string>()
  const [note, setNote] = useState(before)
  const until = () => (period === 'good' ? undefined : period === 'moment' ? moment : after(seconds[period]))
  return {
    ...{ period, setPeriod, moment, setMoment, note, setNote },
    incomplete: period === 'moment' && moment === undefined,
    input(): { until?: string; note?: string } {
      const end = until()
      return { ...(end !== undefined && { until: end }), ...(note.trim() && { note: note.trim() }) }
    },
  }
}

type Props = { term: ReturnType<typeof useBlockTerm>; errors: Record<string, string | undefined>; noteLength: number }

export function BlockTerm({ term, errors, noteLength }: Props) {
  const t = useTranslations('common.blockTerm')
  return (
    <>
      <ChoiceCards
        label={t('howLong')}
        value={term.period}
        options={periods.map(value => ({ value, label: t(`periods.${value}`) }))}
        onChange={value => term.setPeriod(value as Period)}
      />
      {term.period === 'moment' && (
        <InstantField label={t('until')} value={term.moment ?? ''} error={errors.until} onChange={term.setMoment} />
      )}
      <TextField
        label={t('note')}
        value={term.note}
        error={errors.note}
        maxLength={noteLength}
        onChange={term.setNote}
      />
    </>
  )
}
