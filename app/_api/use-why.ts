'use client'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { useReason } from './reason'
import { useAdvice } from './use-warning'

type Values = Readonly<Record<string, string | number>>
type Why = (reason: string, detail?: string, values?: Values) => string

/** A warning of a plan or a check in its own words; undefined where it has none, or lacks what they are about. */
function useWarning(): (code: string, values: Values) => string | undefined {
  const change = useTranslations('change')
  return useCallback(
    (code, values) => {
      const key = `warnings.${code}` as 'warnings.noRadio'
      if (!change.has(key)) return undefined
      // Of a push from before they were kept the values are missing.
      const whole = Object.keys(values).length > 0 || !String(change.raw(key)).includes('{')
      return whole ? change(key, values) : undefined
    },
    [change],
  )
}

/** What went wrong on a device, and behind it what the device said, as it said it. */
function useDeviceReason() {
  const change = useTranslations('change.reasons')
  const reasons = useTranslations('reasons')
  const titleOf = useCallback(
    (reason: string) => {
      const title = `${reason}.title` as 'timeout.title'
      return reasons.has(title) ? reasons(title) : undefined
    },
    [reasons],
  )
  const ofDevice = useCallback(
    (reason: string, detail: string) => {
      const title = titleOf(reason)
      const said = detail.trim().replace(/\.$/, '')
      return title && (said ? change('said', { title, said }) : change('device', { title }))
    },
    [change, titleOf],
  )
  return { titleOf, ofDevice }
}

/** Why a push ended as it did: the engine's own reasons, the device's, or a check's warning, in words. */
export function useWhy(): Why {
  const change = useTranslations('change')
  const { titleOf, ofDevice } = useDeviceReason()
  const warning = useWarning()
  return useCallback(
    (reason, detail = '', values = {}) => {
      const refused = Object.entries(values).map(([block, why]) => `${block} (${titleOf(String(why)) ?? why})`)
      if (!reason) return detail === 'nothingToDo' ? change('reasons.nothingToDo') : ''
      const blocking = reason === 'planBlocked' && warning(detail, values)
      if (blocking) return change('reasons.blockedBy', { why: blocking })
      const own = `reasons.${reason}` as 'reasons.readBack'
      if (reason !== 'other' && change.has(own))
        return change(own, { ...values, detail: (reason === 'rejected' && refused.join(', ')) || detail })
      const check = change.has(`warnings.${reason}` as 'warnings.noRadio') ? 'reasons.check' : 'reasons.other'
      const device = ofDevice(reason, detail)
      if (device !== undefined) return device
      return warning(reason, values) ?? change(check, { reason, detail })
    },
    [change, titleOf, ofDevice, warning],
  )
}

/** What to do about it, in words; empty where nobody knows. */
export function useTodo(): Why {
  const ofPlan = useAdvice()
  const ofDevice = useReason()
  return (reason, detail = '', values = {}) => {
    const code = reason === 'planBlocked' ? detail : reason
    return ofPlan({ code, values }) || ofDevice(code).advice
  }
}
