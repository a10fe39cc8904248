'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { useAdvice, useWarning } from '@/app/_api/use-warning'
import { wordOr } from '@/app/_i18n/word'
import { Said } from '@/app/_shared/left-out'
import { Note } from '@/app/_ui/note'
import type { DeviceInfo } from './device-info'

/** Saved settings that this device does not have as they were given to it, and why. */
export function LeftOut({ info }: { info: DeviceInfo }) {
  const t = useTranslations('change.leftOut')
  const kinds = useTranslations('kinds' as 'wifi')
  const warning = useWarning()
  const advice = useAdvice()
  const input = info.can.settings === 'none' ? null : { deviceId: info.id }
  const call = useNetworkCall('devices/left-out/list', input, { live: true })
  const left = call.data?.result ?? []
  if (left.length === 0) return null
  const nameOf = ({ kind, name }: (typeof left)[number]) => name || wordOr(kinds, kind)
  const count = new Set(left.map(one => one.document)).size
  return (
    <Note tone="warn" title={t('device', { count })}>
      {left.map(one => (
        <Said key={JSON.stringify(one)} why={t('said', { names: nameOf(one), why: warning(one) })} todo={advice(one)} />
      ))}
    </Note>
  )
}
