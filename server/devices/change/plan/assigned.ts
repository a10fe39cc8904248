import type { Assign } from '@/model/assign'

/** Whether a document goes to a device: `path` are the device's groups up to the root. */
export const isAssigned = (assign: Assign, device: number, path: readonly number[]): boolean =>
  assign.all || assign.devices.includes(device) || assign.groups.some(group => path.includes(group))
