import { changesOf } from '@/server/devices/change/overview/overview'
import { engineOf } from '@/server/devices/change/plan/plan'
import type { Runtime } from '@/server/kernel/runtime'

/** The devices of a network that something saved waits for, by their ids. */
export async function waitingDevices(runtime: Runtime, network: number): Promise<Set<number>> {
  const { devices } = await changesOf(engineOf(runtime), network)
  return new Set(devices.filter(one => one.modified).map(one => one.deviceId))
}
