import { inArray } from 'drizzle-orm'
import { documents } from '@/db/schema'
import { byUrgency, type Urgency } from '@/model/urgency'
import { networkOutlook } from '@/server/devices/change/overview/outlook'
import { enginePart } from '@/server/devices/change/plan/plan'
import { high, highSince } from '@/server/devices/incidents/high'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { fleetOf } from '@/server/devices/link/fleet'
import { latestTurns } from '@/server/devices/link/wan-health'
import type { NetworkContext } from '@/server/kernel/call'
import { part } from '@/server/kernel/part'
import { unreadCounts, unreadSince } from '@/server/notify/alerts/rows'

type Code = 'wanOffline' | 'wanDegraded' | 'pushes' | 'leftOut' | 'drifted' | 'cpu' | 'memory' | 'errors' | 'alerts'
/**
 * What needs a look besides a device that does not answer. `devices`: the first of those it is about; `names`: of what
 * else it is about.
 */
export type HealthNotice = Urgency & {
  code: Code | 'backups'
  count: number
  devices: { id: number; name: string }[]
  names?: string[]
}
export type Notices = {
  notices: HealthNotice[]
  /** Whether settings were looked at, too: it takes a moment after the start, and longer with thousands of devices. */
  known: boolean
}

/** What areas above have to say: they add themselves when they start. */
export const moreNotices = part('healthNotices', () => new Set<(context: NetworkContext) => HealthNotice[]>())

const named = 3
const codes = { cpuPercent: 'cpu', memoryPercent: 'memory', portErrors: 'errors' } as const

/** Since when any of it is so: the first of their moments, and nothing where one of them is not known. */
export function sinceAll(of: readonly { since?: number | undefined }[]): Pick<Urgency, 'since'> {
  const known = of.flatMap(({ since }) => since ?? [])
  return of.length > 0 && known.length === of.length ? { since: Math.min(...known) } : {}
}

type About = { id: number; name: string; since?: number | undefined }
const notice = (code: HealthNotice['code'], of: readonly About[]): HealthNotice => ({
  ...{ code, level: 'warning', ...sinceAll(of), count: of.length },
  devices: of.slice(0, named).map(({ id, name }) => ({ id, name })),
})

function busy({ runtime, network }: NetworkContext): HealthNotice[] {
  const { live, rowOf } = fleetOf(runtime)
  const all = indexedDevices(runtime, network.id)
  return (Object.keys(high) as (keyof typeof high)[]).map(field => {
    const over = all
      .filter(({ id }) => (live.get(rowOf(id), field) ?? 0) >= high[field])
      .toSorted((a, b) => a.id - b.id)
    return notice(
      codes[field],
      over.map(({ id, name }) => ({ id, name, since: highSince(runtime, id, field) })),
    )
  })
}

const wanStates = [
  { state: 'offline', code: 'wanOffline', level: 'critical' },
  { state: 'degraded', code: 'wanDegraded', level: 'warning' },
] as const

/** Ways to the internet by what their gateways said last; of a gateway that is not heard nothing is known. */
function ways({ runtime, network }: NetworkContext): HealthNotice[] {
  const bad = latestTurns(runtime.db).filter(({ state }) => state === 'offline' || state === 'degraded')
  if (bad.length === 0) return []
  const gateways = new Map(
    indexedDevices(runtime, network.id).flatMap(({ id, name, status }) => (status === 1 ? [[id, name] as const] : [])),
  )
  const here = bad.flatMap(({ device, key, at, state }) => {
    const name = gateways.get(device)
    return name === undefined ? [] : [{ id: device, name, key, since: at, state }]
  })
  const keys = here.map(one => one.key)
  const called = new Map(
    runtime.db
      .select({ id: documents.id, name: documents.name })
      .from(documents)
      .where(inArray(documents.id, keys))
      .all()
      .map(({ id, name }) => [id, name]),
  )
  return wanStates.map(({ state, code, level }) => {
    const own = here.filter(one => one.state === state).toSorted((a, b) => b.since - a.since)
    const gateway = [...new Map(own.map(one => [one.id, one])).values()]
    return {
      ...{ ...notice(code, gateway), level, count: own.length, ...sinceAll(own) },
      names: own.slice(0, named).map(({ key }) => called.get(key) ?? key),
    }
  })
}

/**
 * What a network's ways to the internet, its settings, its devices' load and errors, its unread alerts and the areas
 * above say: what is worse first, of the same the newest.
 */
export async function noticesOf(context: NetworkContext): Promise<Notices> {
  const { runtime, network } = context
  const engine = enginePart.find(runtime)
  const outlook = engine && (await networkOutlook(engine, network.id))
  const { emergency, warning } = unreadCounts(context)
  const found: HealthNotice[] = [
    ...ways(context),
    ...(outlook
      ? [
          notice('pushes', outlook.failed),
          { code: 'leftOut' as const, level: 'warning' as const, count: outlook.leftOut, devices: [] },
          notice('drifted', outlook.drifted),
        ]
      : []),
    ...busy(context),
    {
      ...{ code: 'alerts', level: 'warning', count: emergency + warning, devices: [] },
      ...sinceAll([{ since: unreadSince(context) }]),
    },
    ...[...moreNotices.of(runtime)].flatMap(told => told(context)),
  ]
  const notices = found.filter(({ count }) => count > 0).sort(byUrgency)
  return { notices, known: outlook !== undefined || engine === undefined }
}
