'use client'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'

type Values = Readonly<Record<string, string | number>>
type Why = (reason: string, detail?: string, values?: Values) => string

/** Why a push ended as it did: the engine's own reasons, the device's, or a check's warning, in words. */
export function useWhy(): Why {
  const change = useTranslations('change')
  const reasons = useTranslations('reasons')
  return useCallback(
    (reason, detail = '', values = {}) => {
      const told = Object.keys(values).length > 0
      const warning = (code: string) => change(`warnings.${code}` as 'warnings.noRadio', values)
      const isWarning = (code: string) => change.has(`warnings.${code}` as 'warnings.noRadio')
      // Of a push from before they were kept the values are missing.
      const canSay = (code: string) =>
        isWarning(code) && (told || !String(change.raw(`warnings.${code}` as 'warnings.noRadio')).includes('{'))
      const device = (key: string) => {
        const title = `${key}.title` as 'timeout.title'
        return reasons.has(title) ? reasons(title) : undefined
      }
      const refused = () =>
        Object.entries(values)
          .map(([block, why]) => `${block} (${device(String(why)) ?? why})`)
          .join(', ')
      if (!reason) return detail === 'nothingToDo' ? change('reasons.nothingToDo') : ''
      if (reason === 'planBlocked' && canSay(detail)) return change('reasons.blockedBy', { why: warning(detail) })
      const own = `reasons.${reason}` as 'reasons.readBack'
      if (reason !== 'other' && change.has(own))
        return change(own, { detail: reason === 'rejected' && told ? refused() : detail })
      if (device(reason)) return device(reason) as string
      if (canSay(reason)) return warning(reason)
      return change(isWarning(reason) ? 'reasons.check' : 'reasons.other', { reason, detail })
    },
    [change, reasons],
  )
}
