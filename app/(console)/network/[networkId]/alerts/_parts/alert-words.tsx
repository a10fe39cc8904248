'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useTodo, useWhy } from '@/app/_api/use-why'
import { useReasonText } from '@/app/_api/words'
import { type StateName, Status } from '@/app/_ui/status'
import { pushAlerts, wordsOf } from '@/model/notify/alert-words'

export type Alert = CallOutput<'alerts/list'>['result'][number]

/** An alert as a sentence; a device that was renamed is called by its name of today. */
export function useAlertWords(): (alert: Alert) => string {
  const t = useTranslations('alertTypes.types')
  const ofManager = useReasonText()
  const ofPush = useWhy()
  return ({ type, values, device }) => {
    if (!t.has(type)) return type
    const { device: called = '', reason: cause = '', detail = '', ...about } = values
    const reason = pushAlerts.includes(type) ? ofPush(String(cause), String(detail), about) : ofManager(String(cause))
    return t(wordsOf(type, values), { ...values, device: device?.name ?? called, reason })
  }
}

/** What to do about the reason that an alert of a device names; empty where it names none. */
export function useAlertTodo(): (alert: Pick<Alert, 'device' | 'values'>) => string {
  const todo = useTodo()
  return ({ device, values: { device: _, reason = '', detail = '', ...about } }) =>
    device && reason ? todo(String(reason), String(detail), about) : ''
}

const grave: Record<number, StateName> = { 5: 'failed', 10: 'warning', 15: 'note' }
const own: Record<string, StateName> = { pushReverted: 'reverted', deviceOnline: 'confirmed' }

export const stateOf = (alert: Alert): StateName => own[alert.type] ?? grave[alert.level] ?? 'note'

/** How grave it is: shape, and the word for those who do not see it. */
export function AlertGlyph({ alert }: { alert: Alert }) {
  const t = useTranslations('alertTypes.levels')
  const level = { 5: 'emergency', 10: 'warning', 15: 'notice' } as const
  return <Status state={stateOf(alert)} label={t(level[alert.level])} />
}
