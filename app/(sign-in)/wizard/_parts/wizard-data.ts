import type { CallOutput } from '@/app/_api/client'

export type Info = CallOutput<'wizard/initial-info'>
export type Draft = Omit<NonNullable<Info['draft']>, 'ssid'> & { ssid: Record<string, unknown> | undefined }
export type Sweep = CallOutput<'wizard/discover/result'>
export type Item = Sweep['adoption'][number]
export type FoundDevice = Sweep['found'][number]

export const stepIds = ['general', 'account', 'devices', 'ssid', 'summary'] as const
export type StepId = (typeof stepIds)[number]

/** Where an interrupted setup goes on: the first step that the draft does not have. */
export function nextStep(draft: Draft): StepId {
  if (!draft.general) return 'general'
  if (!draft.account) return 'account'
  if (draft.devices.length === 0 && !draft.skipped.includes('devices')) return 'devices'
  if (!draft.ssid && !draft.skipped.includes('ssid')) return 'ssid'
  return 'summary'
}

const clockLimitMs = 2 * 60_000

/** How far the manager's clock is from the browser's, ms, when that is too far; else undefined. */
export function clockGap(managerTime: number, browserTime: number): number | undefined {
  const gap = managerTime - browserTime
  return Math.abs(gap) > clockLimitMs ? gap : undefined
}

/** What was typed in each step and not sent yet. */
export type Typed = Map<StepId, object>

export type StepProps = {
  draft: Draft
  typed: Typed
  onSaved: (draft: Draft) => void
  onBack?: () => void
}

/** The push that the setup ended with, and the network it made. */
export type Pushed = { job: string; networkId: number }
