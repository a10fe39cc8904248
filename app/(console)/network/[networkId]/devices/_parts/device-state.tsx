'use client'
import { useTranslations } from 'next-intl'
import { Age } from '@/app/_ui/clock'
import { type IconName, iconOf } from '@/app/_ui/icon'
import { type StateName, Status } from '@/app/_ui/status'

/** What lists and details know of a device's state. */
export type DeviceState = { status: number; statusAt: number; openLogin: boolean; reason?: string }

/** Why the last poll of a device that still counts as online failed. */
const silent: readonly string[] = ['noRoute', 'timeout', 'refused', 'closed']
const isSilent = ({ status, reason = '' }: DeviceState) => status === 1 && silent.includes(reason)

const names = { 0: 'offline', 1: 'online', 2: 'unpaired', 3: 'paired' } as const
export type StatusName = (typeof names)[keyof typeof names]
export const statusName = (status: number): StatusName => names[status as keyof typeof names] ?? 'unpaired'

const shapes: Record<StatusName, StateName> = {
  online: 'online',
  offline: 'offline',
  unpaired: 'unknown',
  paired: 'queued',
}
export const shapeOf = (device: DeviceState): StateName => {
  if (isSilent(device)) return 'stale'
  return device.status === 1 && device.openLogin ? 'warning' : shapes[statusName(device.status)]
}

/** Values of an offline device are its last ones; of one never read nothing is known. */
export const staleness = (status: number): 'offline' | undefined => (status === 0 ? 'offline' : undefined)

/** A device's state in a row. */
export function DeviceStatus({ device }: { device: DeviceState }) {
  const t = useTranslations('devices')
  const name = statusName(device.status)
  if (isSilent(device)) return <Status state="stale">{t('status.silent')}</Status>
  if (name === 'online' && device.openLogin) return <Status state="warning">{t('openLogin')}</Status>
  return (
    <Status state={shapeOf(device)} age={name === 'offline' ? <Age at={device.statusAt} /> : undefined}>
      {t(`status.${name}`)}
    </Status>
  )
}

export const kindIcon = (kind: string): IconName => iconOf(kind, 'devices')
