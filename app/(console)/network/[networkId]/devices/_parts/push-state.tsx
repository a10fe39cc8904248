'use client'
import { useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'
import { pushLooks } from '@/app/_shared/push-looks'
import { Status } from '@/app/_ui/status'

/** How a device stands with what was saved for it, or how a push ended. */
export function PushState({ state }: { state: string }) {
  const t = useTranslations('devices.detail.configuration.states')
  return <Status state={pushLooks[state] ?? 'unknown'}>{wordOr(t, state)}</Status>
}
