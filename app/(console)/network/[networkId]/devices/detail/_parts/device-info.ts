import type { CallOutput } from '@/app/_api/client'

/** One device as `devices/info` gives it. */
export type DeviceInfo = CallOutput<'devices/info'>
/** One of its interfaces, with the rates between the last two polls in bit/s. */
export type Face = NonNullable<DeviceInfo['reading']['interfaces']>[number]
