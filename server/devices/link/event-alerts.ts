import { and, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deviceParents } from '@/db/schema'
import type { EventCode } from '@/server/drivers/words'
import type { Runtime } from '@/server/kernel/runtime'
import { offlineMs } from '@/server/notify/alerts/config'
import { type About, deviceAlert, deviceTrouble, recoverAlerts } from '@/server/notify/alerts/raise'
import type { DeviceEvent } from '@/server/worker/protocol'

// Which events of a device are alerts, too.

type Heard = (runtime: Runtime, device: About, event: Pick<DeviceEvent, 'at' | 'values'>) => void

/** Whether a device is known to hang at this port. */
const hangsAt = (db: Db, device: number, port: string | number | undefined): boolean =>
  db
    .select({ device: deviceParents.device })
    .from(deviceParents)
    .where(and(eq(deviceParents.parent, device), eq(deviceParents.port, String(port))))
    .limit(1)
    .get() !== undefined

/**
 * What may be part of a device's failure that is not noticed yet waits as long as that: the port that a device hangs at,
 * and a gateway's way out. `regroup` lets it be told sooner, or puts it below.
 */
const heard: Partial<Record<EventCode, Heard>> = {
  deviceRestarted: (runtime, device, { at }) => void deviceAlert(runtime, device, 'deviceRestarted', { at }),
  portDown: (runtime, device, { at, values }) =>
    deviceTrouble(runtime, device, 'portDown', {
      ...{ at, values, same: 'port' },
      ...(hangsAt(runtime.db, device.id, values.port) && { tellAt: at + offlineMs(runtime.db, device.network) }),
    }),
  portUp: (runtime, device, { at, values }) => recoverAlerts(runtime, device, 'portDown', { at, values, same: 'port' }),
  wanOffline: (runtime, device, { at, values }) => {
    recoverAlerts(runtime, device, 'wanDegraded', { at, values, same: 'wan', silent: true })
    const tellAt = at + offlineMs(runtime.db, device.network)
    deviceTrouble(runtime, device, 'wanOffline', { at, values, same: 'wan', tellAt })
  },
  wanDegraded: (runtime, device, { at, values }) => {
    recoverAlerts(runtime, device, 'wanOffline', { at, values, same: 'wan' })
    deviceTrouble(runtime, device, 'wanDegraded', { at, values, same: 'wan' })
  },
  wanOnline: (runtime, device, { at, values }) => {
    recoverAlerts(runtime, device, 'wanDegraded', { at, values, same: 'wan' })
    recoverAlerts(runtime, device, 'wanOffline', { at, values, same: 'wan' })
  },
}

/** Raises or ends the alerts that an event of a device stands for; most stand for none. */
export const alertOf = (runtime: Runtime, device: About, { code, ...event }: DeviceEvent): void =>
  heard[code]?.(runtime, device, event)
