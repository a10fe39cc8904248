import type { EventCode } from '@/server/drivers/words'
import type { Runtime } from '@/server/kernel/runtime'
import { type About, deviceAlert, deviceTrouble, recoverAlerts } from '@/server/notify/alerts/raise'
import type { DeviceEvent } from '@/server/worker/protocol'

// Which events of a device are alerts, too.

type Heard = (runtime: Runtime, device: About, event: Pick<DeviceEvent, 'at' | 'values'>) => void

const heard: Partial<Record<EventCode, Heard>> = {
  deviceRestarted: (runtime, device, { at }) => void deviceAlert(runtime, device, 'deviceRestarted', { at }),
  portDown: (runtime, device, { at, values }) =>
    deviceTrouble(runtime, device, 'portDown', { at, values, same: 'port' }),
  portUp: (runtime, device, { at, values }) => recoverAlerts(runtime, device, 'portDown', { at, values, same: 'port' }),
  wanOffline: (runtime, device, { at, values }) => {
    recoverAlerts(runtime, device, 'wanDegraded', { at, values, same: 'wan', silent: true })
    deviceTrouble(runtime, device, 'wanOffline', { at, values, same: 'wan' })
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
