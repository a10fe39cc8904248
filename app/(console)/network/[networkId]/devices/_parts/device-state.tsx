'use client'
import { useTranslations } from 'next-intl'
import { Age } from '@/app/_ui/clock'
import { type IconName, iconOf } from '@/app/_ui/icon'
import { Badge, type StateName, Status } from '@/app/_ui/status'
import { type DeviceState, deviceState } from '@/model/device-state'

/** What lists and details know of a device's state. */
export type KnownState = { status: number; statusAt: number; openLogin: boolean; reason?: string }

const shapes: Record<DeviceState, StateName> = {
  online: 'online',
  silent: 'stale',
  offline: 'offline',
  unpaired: 'unknown',
  paired: 'queued',
}
export const shapeOfState = (state: DeviceState): StateName => shapes[state]
/** It answers, and what is asked of it fails: no reading of it is of now. */
const cannotBeRead = (device: Parameters<typeof deviceState>[0]): boolean =>
  deviceState(device) === 'online' && Boolean(device.reason)

export const shapeOf = (device: KnownState): StateName => {
  const state = deviceState(device)
  return cannotBeRead(device) || (state === 'online' && device.openLogin) ? 'warning' : shapes[state]
}

/** Values of a device that does not answer are its last ones; of one never read nothing is known. */
export function staleness(device: Parameters<typeof deviceState>[0]): 'offline' | 'stale' | undefined {
  const state = deviceState(device)
  return state === 'offline' ? 'offline' : state === 'silent' ? 'stale' : undefined
}

/** Beside a device's name. */
export function StateBadge({ device }: { device: Parameters<typeof deviceState>[0] }) {
  const t = useTranslations('devices.status')
  const state = deviceState(device)
  if (cannotBeRead(device)) return <Badge state="warning">{t('unread')}</Badge>
  return <Badge state={shapes[state]}>{t(state)}</Badge>
}

/** A device's state in a row. */
export function DeviceStatus({ device }: { device: KnownState }) {
  const t = useTranslations('devices')
  const state = deviceState(device)
  if (cannotBeRead(device)) return <Status state="warning">{t('status.unread')}</Status>
  if (state === 'online' && device.openLogin) return <Status state="warning">{t('openLogin')}</Status>
  return (
    <Status state={shapes[state]} age={state === 'offline' ? <Age at={device.statusAt} /> : undefined}>
      {t(`status.${state}`)}
    </Status>
  )
}

export const kindIcon = (kind: string): IconName => iconOf(kind, 'devices')
