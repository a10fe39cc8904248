import { networkOutlook } from '@/server/devices/change/outlook'
import { enginePart } from '@/server/devices/change/plan'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { fleetOf } from '@/server/devices/link/fleet'
import type { NetworkContext } from '@/server/kernel/call'
import { part } from '@/server/kernel/part'
import { unreadCounts } from '@/server/notify/alerts/rows'

/** What needs a look besides a device that does not answer. `devices`: the first of those it is about. */
export type HealthNotice = {
  code: 'pushes' | 'leftOut' | 'drifted' | 'cpu' | 'memory' | 'errors' | 'alerts' | 'backups'
  count: number
  devices: { id: number; name: string }[]
}
export type Notices = {
  notices: HealthNotice[]
  /** Whether settings were looked at, too: it takes a moment after the start, and longer with thousands of devices. */
  known: boolean
}

/** What areas above have to say: they add themselves when they start. */
export const moreNotices = part('healthNotices', () => new Set<(context: NetworkContext) => HealthNotice[]>())

const named = 3
/** Live values from which on a device is told of: per cent of its processor and memory, interface errors of the last hour. */
const high = { cpuPercent: 90, memoryPercent: 90, portErrors: 10 } as const
const codes = { cpuPercent: 'cpu', memoryPercent: 'memory', portErrors: 'errors' } as const

const notice = (code: HealthNotice['code'], of: readonly { id: number; name: string }[]): HealthNotice => ({
  code,
  count: of.length,
  devices: of.slice(0, named).map(({ id, name }) => ({ id, name })),
})

function busy({ runtime, network }: NetworkContext): HealthNotice[] {
  const { live, rowOf } = fleetOf(runtime)
  const all = indexedDevices(runtime, network.id)
  return (Object.keys(high) as (keyof typeof high)[]).map(field => {
    const over = all.filter(({ id }) => (live.get(rowOf(id), field) ?? 0) >= high[field])
    return notice(
      codes[field],
      over.toSorted((a, b) => a.id - b.id),
    )
  })
}

/** What a network's settings, its devices' load and errors, its unread alerts and the areas above say. */
export async function noticesOf(context: NetworkContext): Promise<Notices> {
  const { runtime, network } = context
  const engine = enginePart.find(runtime)
  const outlook = engine && (await networkOutlook(engine, network.id))
  const { emergency, warning } = unreadCounts(context)
  const found: HealthNotice[] = [
    ...(outlook
      ? [
          notice('pushes', outlook.failed),
          { code: 'leftOut' as const, count: outlook.leftOut, devices: [] },
          notice('drifted', outlook.drifted),
        ]
      : []),
    ...busy(context),
    { code: 'alerts', count: emergency + warning, devices: [] },
    ...[...moreNotices.of(runtime)].flatMap(told => told(context)),
  ]
  return { notices: found.filter(({ count }) => count > 0), known: outlook !== undefined || engine === undefined }
}
