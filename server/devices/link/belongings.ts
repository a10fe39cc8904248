import { deviceEvents } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const linkBelongings: readonly Belonging[] = [
  { table: deviceEvents, device: { of: deviceEvents.device, deleted: 'cascades' } },
]
