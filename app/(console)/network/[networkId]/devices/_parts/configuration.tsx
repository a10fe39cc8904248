'use client'
import { useTranslations } from 'next-intl'
import type { CallInput, CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { Status } from '@/app/_ui/status'
import { Maybe } from '@/app/_ui/value'
import { PushState } from './push-state'
import type { Device } from './rows'

type Changed = CallOutput<'changes/list'>['devices'][number]
const none: CallInput<'changes/list'> = {}

/** What waits for which device, or undefined while that is not known. */
export function useChanged(): ReadonlyMap<number, Changed> | undefined {
  const { data } = useNetworkCall('changes/list', none, { live: true })
  return data && new Map(data.devices.map(one => [one.deviceId, one]))
}

/** Whether a device runs what was saved for it. */
export function Configuration({ device, changed }: { device: Device; changed: ReturnType<typeof useChanged> }) {
  const t = useTranslations('devices.configuration')
  if (device.can.settings === 'none') return <span className="muted">{t('readOnly')}</span>
  if (!changed) return <Maybe value={undefined}>{() => null}</Maybe>
  const one = changed.get(device.id)
  if (one?.state === 'modified' && !one.online) return <Status state="modified">{t('waiting')}</Status>
  if (one) return <PushState state={one.state} />
  const read = device.status === 0 || device.status === 1
  return <span className="soft">{t(read ? 'inSync' : 'notRead')}</span>
}
