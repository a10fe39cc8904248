import { and, eq, inArray } from 'drizzle-orm'
import { devices, documents } from '@/db/schema'
import type { Data, Kind } from '@/model/kind'
import type { Lan } from '@/model/lan/lan'
import type { PortalFields } from '@/model/profiles/portal'
import type { RadiusFields } from '@/model/profiles/radius'
import type { ScheduleFields } from '@/model/profiles/schedule'
import type { SmsGatewayFields } from '@/model/profiles/sms-gateway'
import type { SplashFields } from '@/model/profiles/splash'
import { loadKind } from '@/model/registry'
import { isAssigned } from '@/server/devices/change/plan/assigned'
import { notSelf } from '@/server/devices/link/managed-devices'
import { asksGateway } from '@/server/drivers/unix/gate-page'
import type { AskedRadius } from '@/server/guests/radius/client'
import { ownServer } from '@/server/guests/radius/here/ask'
import { type DocumentRow, isDamaged, openRow } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { portalOfLan, storedSsidPortals } from '@/server/networks/settings/portals'
import { assignsOf } from '@/server/networks/settings/store'
import { passwordEnd } from './password'

/** A LAN network of guests, and how they get into it. */
export type Place = {
  organization: number
  network: number
  /** Its settings document. */
  lan: string
  lanName: string
  /** The gateway's own in it, as it was set: `192.168.20.1/24`. */
  address?: string
  policy: PortalFields
  /** When the password that guests share is valid no longer, unix ms; absent: it has no end. */
  passwordEnds?: number
  /** By which name guests find the page, where the gateway answers it. */
  pageName?: string
  /** When the policy lets anybody in; absent: always. */
  hours?: ScheduleFields
}

const rowOf = ({ db }: Runtime, id: string, kind: string): DocumentRow | undefined =>
  db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), eq(documents.kind, kind), eq(documents.scope, 'network')))
    .get()

function opened(runtime: Runtime, kind: Kind, id: string): { row: DocumentRow; data: Data } | undefined {
  const row = rowOf(runtime, id, kind.id)
  const one = row && openRow(runtime.secrets, kind, row)
  return row && one && !isDamaged(one) ? { row, data: one.data } : undefined
}

/** The place of a LAN's document; undefined where there is none, its clients are no guests, or what it refers to is damaged. */
export async function findPlace(runtime: Runtime, lan: string): Promise<Place | undefined> {
  const [lanKind, portalKind, scheduleKind] = await Promise.all([
    loadKind('lan'),
    loadKind('portal'),
    loadKind('schedule'),
  ])
  const found = opened(runtime, lanKind, lan)
  const { db, secrets } = runtime
  const portal = found && portalOfLan(found.data, storedSsidPortals(db, secrets, found.row.scopeId))
  const policy = portal === undefined ? undefined : opened(runtime, portalKind, portal)
  if (!found || !policy) return undefined
  const { schedule } = policy.data as PortalFields
  const hours = schedule === undefined ? undefined : opened(runtime, scheduleKind, schedule)
  if (schedule !== undefined && !hours) return undefined
  const { organization, scopeId: network, name: lanName } = found.row
  const { address } = found.data
  const passwordEnds = passwordEnd(runtime, policy.row.id, policy.data as PortalFields, Date.now())
  return {
    ...{ organization, network, lan, lanName, policy: policy.data as PortalFields },
    ...(typeof address === 'string' && { address }),
    ...(asksGateway(found.data as Lan) && { pageName: (policy.data as PortalFields).pageName }),
    ...(passwordEnds !== undefined && { passwordEnds }),
    ...(hours && { hours: hours.data as ScheduleFields }),
  }
}

/** The RADIUS profile that a portal refers to; undefined where it refers to none, or one that is damaged. */
export const findRadius = async (runtime: Runtime, { organization, network, policy }: Place) =>
  policy.radius === undefined ? undefined : findRadiusOf(runtime, organization, network, policy.radius)

/** A RADIUS profile of a network by its document, likewise. */
export async function findRadiusOf(
  runtime: Runtime,
  organization: number,
  network: number,
  id: string,
): Promise<AskedRadius | undefined> {
  const found = opened(runtime, await loadKind('radius'), id)
  if (!found) return undefined
  if (found.data.here === true) return ownServer(runtime, network, found.data)
  return { ...(found.data as RadiusFields), ...notSelf(runtime, organization) }
}

/** By what a portal's text messages are sent, likewise. */
export async function findSmsGateway(runtime: Runtime, { policy }: Place): Promise<SmsGatewayFields | undefined> {
  const found = policy.sms === undefined ? undefined : opened(runtime, await loadKind('smsGateway'), policy.sms)
  return found?.data as SmsGatewayFields | undefined
}

/** The splash page that a portal refers to, likewise. */
export async function findSplash(runtime: Runtime, { policy }: Place): Promise<SplashFields | undefined> {
  const found = policy.splash === undefined ? undefined : opened(runtime, await loadKind('splash'), policy.splash)
  return found?.data as SplashFields | undefined
}

/** The gateways to which a LAN's document goes: a guest whom one of them let in roams to the others. */
export function gatewaysOf({ db }: Runtime, network: number, lan: string): number[] {
  const assign = assignsOf(db, [lan]).get(lan)
  const groups = networkGroups(db, network)
  return db
    .select({ id: devices.id, group: devices.group })
    .from(devices)
    .where(and(eq(devices.network, network), inArray(devices.kind, ['gateway', 'firewall'])))
    .all()
    .filter(one => assign && isAssigned(assign, one.id, pathOf(groups, one.group)))
    .map(one => one.id)
}
