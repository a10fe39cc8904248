'use client'
import { useTranslations } from 'next-intl'
import { type StateName, Status } from '@/app/_ui/status'

/** A state's mark, wherever a push or a device's configuration is shown. */
export const pushLooks: Record<string, StateName> = {
  modified: 'modified',
  drifted: 'warning',
  queued: 'queued',
  pushing: 'running',
  confirming: 'running',
  applied: 'confirmed',
  partial: 'warning',
  reverted: 'reverted',
  failed: 'failed',
  offline: 'offline',
  unknown: 'unknown',
}

/** How a device stands with what was saved for it, or how a push ended. */
export function PushState({ state }: { state: string }) {
  const t = useTranslations('devices.detail.configuration.states')
  return <Status state={pushLooks[state] ?? 'unknown'}>{t.has(state) ? t(state as 'modified') : state}</Status>
}
