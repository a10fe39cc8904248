'use client'
import { useTranslations } from 'next-intl'
import { Age } from '@/app/_ui/clock'
import { type IconName, iconOf } from '@/app/_ui/icon'
import { type StateName, Status } from '@/app/_ui/status'

/** What lists and details know of a device's state. */
export type DeviceState = { status: number; statusAt: number; openLogin: boolean }

const names = { 0: 'offline', 1: 'online', 2: 'unpaired', 3: 'paired' } as const
export type StatusName = (typeof names)[keyof typeof names]
export const statusName = (status: number): StatusName => names[status as keyof typeof names] ?? 'unpaired'

const shapes: Record<StatusName, StateName> = {
  online: 'online',
  offline: 'offline',
  unpaired: 'unknown',
  paired: 'queued',
}
export const shapeOf = ({ status, openLogin }: DeviceState): StateName =>
  status === 1 && openLogin ? 'warning' : shapes[statusName(status)]

/** Values of an offline device are its last ones; of one never read nothing is known. */
export const staleness = (status: number): 'offline' | undefined => (status === 0 ? 'offline' : undefined)

/** A device's state in a row. */
export function DeviceStatus({ device }: { device: DeviceState }) {
  const t = useTranslations('devices')
  const name = statusName(device.status)
  if (name === 'online' && device.openLogin) return <Status state="warning">{t('openLogin')}</Status>
  return (
    <Status state={shapeOf(device)} age={name === 'offline' ? <Age at={device.statusAt} /> : undefined}>
      {t(`status.${name}`)}
    </Status>
  )
}

export const kindIcon = (kind: string): IconName => iconOf(kind, 'devices')
