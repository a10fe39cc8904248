'use client'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'

/** Why a push ended as it did: the engine's own reasons, the device's, or a check's warning. */
export function useWhy(): (reason: string, detail?: string) => string {
  const change = useTranslations('change')
  const reasons = useTranslations('reasons')
  return useCallback(
    (reason, detail = '') => {
      if (!reason) return detail === 'nothingToDo' ? change('reasons.nothingToDo') : ''
      const own = `reasons.${reason}` as 'reasons.readBack'
      if (reason !== 'other' && change.has(own)) return change(own, { detail })
      const device = `${reason}.title` as 'timeout.title'
      if (reasons.has(device)) return reasons(device)
      const check = `warnings.${reason}` as 'reasons.other'
      // A check on the device names what it found in the detail.
      return change(change.has(check) ? 'reasons.check' : 'reasons.other', { reason, detail })
    },
    [change, reasons],
  )
}
