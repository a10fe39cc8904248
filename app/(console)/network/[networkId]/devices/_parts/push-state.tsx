'use client'
import { useTranslations } from 'next-intl'
import { pushLooks } from '@/app/_shared/push-looks'
import { Status } from '@/app/_ui/status'

/** How a device stands with what was saved for it, or how a push ended. */
export function PushState({ state }: { state: string }) {
  const t = useTranslations('devices.detail.configuration.states')
  return <Status state={pushLooks[state] ?? 'unknown'}>{t.has(state) ? t(state as 'modified') : state}</Status>
}
