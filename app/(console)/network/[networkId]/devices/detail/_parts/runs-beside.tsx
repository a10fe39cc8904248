'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import type { DeviceInfo } from './device-info'

/** Of a device that nothing was pushed to yet: what it already runs, for whoever just adopted it. */
export function RunsBeside({ info }: { info: DeviceInfo }) {
  const t = useTranslations('import.after')
  const readable = info.can.import && info.status === 1
  const history = useNetworkCall('devices/config/history', readable ? { deviceId: info.id, pageSize: 10 } : null, {
    live: true,
  })
  const fresh = history.data?.total === 0
  const call = useNetworkCall('import/list', fresh ? { deviceId: info.id } : null, { live: true })
  const count = call.data?.result.filter(item => item.state !== 'managed').length ?? 0
  if (!fresh || count === 0) return null
  return (
    <Note
      tone="info"
      title={t('title', { count })}
      actions={<LinkButton href={`?id=${info.id}&tab=device`}>{t('look')}</LinkButton>}
    >
      {t('text')}
    </Note>
  )
}
