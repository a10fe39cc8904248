'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useAdvice, useWarning } from '@/app/_api/use-warning'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { isLibrary, isManagers, type KindId } from '@/model/registry'

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
  const advice = useAdvice()
  return {
    short({ kind, given, of, on, partly }: Omit<Reach, 'reasons'>): string {
      const what = kind === 'ssid' ? 'ap' : 'device'
      if (of === 0) return t(given ? 'nowhere' : 'nobody', { what })
      return on < of ? t('on', { on, of, what }) : t('partly', { partly, of, what })
    },
    /** Which devices say it, and what. */
    reason({ devices, count, ...said }: Reach['reasons'][number]): string {
      const names = devices.map(one => one.name).join(', ')
      const more = count - devices.length
      return t('said', { names: more > 0 ? t('more', { names, count: more }) : names, why: warning(said) })
    },
    /** What to do about it; without a reason of a device: who would have to be given it. */
    advice: (reason: Reach['reasons'][number] | undefined): string => (reason ? advice(reason) : t('assign')),
  }
}

type Saved = { kind: KindId /** Of a document; a setting without a list goes by its kind. */; id?: string }

/** Whether a setting of this kind is about devices by itself: not what the manager keeps, and no help of others. */
const isForDevices = (kind: KindId) => !isManagers(kind) && !isLibrary(kind)

/**
 * Says that a setting was saved: plainly where it reaches every device that it was given to, else on how many it is, and
 * why. To be called once it is saved; what it says comes when the plans have answered.
 */
export function useSaved(): (saved: Saved, done?: 'saved' | 'added', plain?: string) => Promise<void> {
  const t = useTranslations('change.leftOut')
  const done = useTranslations('common.done')
  const words = useReachWords()
  const may = useMay('devices')
  return async ({ kind, id = kind }, how = 'saved', plain = done(how)) => {
    // Without an answer nothing is known against it.
    const left =
      may && isForDevices(kind)
        ? await callApi('changes/left-out/list', withNetwork({ kind }), { quiet: true, asks: true }).catch(() => null)
        : null
    const reach = left?.result.find(one => one.id === id)
    if (!reach) return toast('ok', plain)
    const [first] = reach.reasons
    const detail = [first && words.reason(first), words.advice(first)].filter(Boolean).join(' ')
    toast('warn', t('saved', { how, where: words.short(reach) }), { detail })
  }
}

/** Every reason why a setting is not everywhere, each with what to do. */
export function Reasons({ reach: { reasons } }: { reach: Reach }) {
  const words = useReachWords()
  if (reasons.length === 0) return <div>{words.advice(undefined)}</div>
  return reasons.map(reason => (
    <Said key={JSON.stringify(reason)} why={words.reason(reason)} todo={words.advice(reason)} />
  ))
}

/** What is wrong, and below it what to do. */
export function Said({ why, todo }: { why: string; todo: string }) {
  return (
    <div>
      {why}
      {todo && <div className="soft">{todo}</div>}
    </div>
  )
}

/** In a row of a list: on how many devices it is, and the first reason. */
export function ReachLine({ reach }: { reach: Reach }) {
  const words = useReachWords()
  const [first] = reach.reasons
  const lineOf = (one: Reach['reasons'][number]) => [words.reason(one), words.advice(one)].filter(Boolean).join(' ')
  return (
    <span className="reach" title={reach.reasons.map(lineOf).join('\n')}>
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
      <Reasons reach={reach} />
    </Note>
  )
}
