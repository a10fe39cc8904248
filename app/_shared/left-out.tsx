'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { useWarning } from '@/app/_api/use-warning'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import type { KindId } from '@/model/registry'

// Settings that are not on every device they were given to: the same words wherever it is said.

export type Reach = CallOutput<'changes/left-out/list'>['result'][number]

/** By document, or by kind where there is one of it: what of a kind is not everywhere. Empty for who may not see devices. */
export function useLeftOut(kind: KindId): ReadonlyMap<string, Reach> {
  const may = useMay('devices')
  const { data } = useNetworkCall('changes/left-out/list', may ? { kind } : null, { live: true })
  return useMemo(() => new Map(data?.result.map(one => [one.id, one])), [data])
}

/** "On 0 of 1 access points". */
export function useReachWords() {
  const t = useTranslations('change.leftOut')
  const warning = useWarning()
  return {
    short({ kind, of, on, partly }: Pick<Reach, 'kind' | 'of' | 'on' | 'partly'>): string {
      const what = kind === 'ssid' ? 'ap' : 'device'
      if (of === 0) return t('nowhere', { what })
      return on < of ? t('on', { on, of, what }) : t('partly', { partly, of, what })
    },
    /** Which devices say it, and what. */
    reason({ devices, count, ...said }: Reach['reasons'][number]): string {
      const names = devices.map(one => one.name).join(', ')
      const more = count - devices.length
      return t('said', { names: more > 0 ? t('more', { names, count: more }) : names, why: warning(said) })
    },
  }
}

/** In a row of a list: on how many devices it is, and the first reason. */
export function ReachLine({ reach }: { reach: Reach }) {
  const words = useReachWords()
  const [first] = reach.reasons
  return (
    <span className="reach" title={reach.reasons.map(words.reason).join('\n')}>
      <Status state="warning">{words.short(reach)}</Status>
      {first && <span className="subline truncated">{words.reason(first)}</span>}
    </span>
  )
}

/** Above a form: on how many devices it is, with every reason. */
export function ReachNote({ reach }: { reach: Reach | undefined }) {
  const words = useReachWords()
  if (!reach) return null
  return (
    <Note tone="warn" title={words.short(reach)}>
      {reach.reasons.map(reason => (
        <div key={JSON.stringify(reason)}>{words.reason(reason)}</div>
      ))}
    </Note>
  )
}
