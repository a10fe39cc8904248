import { randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { deployments, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import type { NativeConfig, Pending, Warning } from '@/server/drivers/driver'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import { type ConfigDigest, configDigestOf } from './config-digest'

export type DeploymentRow = typeof deployments.$inferSelect
export type DeploymentState = DeploymentRow['state']
/** Work in hand: a device takes no second push while one of these stands. */
export const runningStates = ['queued', 'pushing', 'confirming'] as const satisfies DeploymentState[]

type Sealed = {
  before: NativeConfig
  planned: NativeConfig
  seen: NativeConfig
  pending: Pending
  outline: ConfigDigest
}
/**
 * What a person agreed to beforehand: to overwrite what was changed on the device, to cut the manager's own way, and
 * which settings to leave as the device has them; that it keeps the push only if the others of it do.
 */
export type Accept = 'drift' | 'cut' | 'together' | `without ${string}`
export type NewDeployment = { accepts: readonly Accept[]; restores?: string }
type Plain = Partial<
  Pick<
    DeploymentRow,
    'documents' | 'state' | 'step' | 'reason' | 'detail' | 'confirmSeconds' | 'startedAt' | 'armedAt' | 'endedAt'
  >
>
type Values = Record<string, string | number>
type Change = Plain & Partial<Omit<Sealed, 'outline'>> & { warnings?: Warning[]; values?: Values }

const sealedFields = ['before', 'planned', 'seen', 'pending', 'outline'] as const

const longText = 2000
/** Configurations are long and repeat themselves: kept is about a tenth, which hundreds of devices feel when all are read. */
function packed(value: Sealed[keyof Sealed]): string {
  const text = JSON.stringify(value)
  return text.length > longText ? deflateRawSync(text).toString('base64') : text
}
const unpacked = (text: string): unknown =>
  JSON.parse(text.startsWith('{') ? text : inflateRawSync(Buffer.from(text, 'base64')).toString('utf8'))

const place = (id: string, field: string) => `deployments:${id}:${field}`

export function addDeployment(
  db: Db,
  device: { id: number; organization: number },
  { accepts, restores = '' }: NewDeployment,
  by: string,
  now: number,
): string {
  const id = randomUUID()
  const own = { id, organization: device.organization, device: device.id, accepts: JSON.stringify(accepts), restores }
  db.insert(deployments)
    .values({ ...own, state: 'queued', by, createdAt: now })
    .run()
  return id
}

/** Documents that a push leaves as the device has them. */
export const withoutOf = (row: DeploymentRow): string[] =>
  acceptsOf(row).flatMap(one => (one.startsWith('without ') ? [one.slice('without '.length)] : []))

export const acceptsOf = (row: DeploymentRow): Accept[] => JSON.parse(row.accepts) as Accept[]

/** What the reason of a push is about, for its words. */
export const valuesOf = (row: Pick<DeploymentRow, 'values'>): Values => JSON.parse(row.values) as Values

/** Documents and their revisions that a push was planned from; undefined where that was not kept. */
export const documentsOf = (row: Pick<DeploymentRow, 'documents'>): Record<string, number> | undefined =>
  row.documents ? (JSON.parse(row.documents) as Record<string, number>) : undefined

const doneStates = ['applied', 'partial'] as const satisfies DeploymentState[]
export const isDone = (state: DeploymentState): boolean => (doneStates as readonly string[]).includes(state)

export const findDeployment = (db: Db, id: string): DeploymentRow | undefined =>
  db.select().from(deployments).where(eq(deployments.id, id)).get()

/** Tells the pages of those who enter its device's network. */
export function notifyPush(runtime: Runtime, id: string): void {
  const place = runtime.db
    .select({ organization: devices.organization, network: devices.network })
    .from(deployments)
    .innerJoin(devices, eq(devices.id, deployments.device))
    .where(eq(deployments.id, id))
    .get()
  if (place) runtime.bus.emit({ topic: 'push', id, ...place })
}

/** Writes one step of a push and tells the pages. What is needed to undo it is on disk when this returns. */
export function updateDeployment(runtime: Runtime, id: string, change: Change): void {
  const { before, planned, seen, pending, warnings, values, ...plain } = change
  const outline = planned && configDigestOf(planned)
  const clear: Partial<Sealed> = { before, planned, seen, pending, outline }
  const sealed = sealedFields.flatMap(field =>
    clear[field] ? [[field, runtime.secrets.seal(packed(clear[field]), place(id, field))] as const] : [],
  )
  runtime.db
    .update(deployments)
    .set({
      ...plain,
      ...Object.fromEntries(sealed),
      ...(warnings && { warnings: JSON.stringify(warnings) }),
      ...(values && { values: JSON.stringify(values) }),
    })
    .where(eq(deployments.id, id))
    .run()
  notifyPush(runtime, id)
}

/** A sealed part of a deployment, undefined where it was never written or does not open. */
export function openPart<F extends keyof Sealed>(
  runtime: Runtime,
  row: Pick<DeploymentRow, 'id' | F>,
  field: F,
): Sealed[F] | undefined {
  const sealed: string = row[field]
  if (!sealed) return undefined
  try {
    return unpacked(runtime.secrets.open(sealed, place(row.id, field))) as Sealed[F]
  } catch {
    return undefined
  }
}

/** One sealed part of a stored deployment: the others are long, and left on the disk. */
export function partOf<F extends keyof Sealed>(runtime: Runtime, id: string, field: F): Sealed[F] | undefined {
  const { db } = runtime
  const row = prepared(db, `deployments.${field}`, () =>
    db
      .select({ sealed: deployments[field] })
      .from(deployments)
      .where(eq(deployments.id, sql.placeholder('id')))
      .prepare(),
  ).get({ id })
  return row && openPart(runtime, { id, [field]: row.sealed } as Pick<DeploymentRow, 'id' | F>, field)
}

/** What a device was given, in short. */
export const configDigestIn = (runtime: Runtime, row: Pick<DeploymentRow, 'id' | 'outline'>): ConfigDigest =>
  openPart(runtime, row, 'outline') ?? configDigestOf(partOf(runtime, row.id, 'planned') ?? { blocks: [] })

/** What the device had after a push, its blocks with the documents that the plan names for them. */
export function seenOf(runtime: Runtime, row: DeploymentRow): NativeConfig | undefined {
  const seen = openPart(runtime, row, 'seen')
  const planned = new Map(openPart(runtime, row, 'planned')?.blocks.map(block => [block.id, block]))
  return seen && { blocks: seen.blocks.map(({ id, text }) => ({ ...planned.get(id), id, text })) }
}

/** The latest push that its device took, in short. */
export const lastAppliedTo = (db: Db, device: number): AppliedPush | undefined =>
  db
    .select({ id: deployments.id, outline: deployments.outline, startedAt: deployments.startedAt })
    .from(deployments)
    .where(and(eq(deployments.device, device), inArray(deployments.state, [...doneStates])))
    .orderBy(desc(deployments.endedAt))
    .limit(1)
    .get()
export type AppliedPush = Pick<DeploymentRow, 'id' | 'outline' | 'startedAt'>

export function lastApplied(db: Db, device: number): DeploymentRow | undefined {
  const id = lastAppliedTo(db, device)?.id
  return id === undefined ? undefined : findDeployment(db, id)
}

/** Devices that took a push. */
export const devicesWithPush = (db: Db): ReadonlySet<number> =>
  new Set(
    db
      .selectDistinct({ device: deployments.device })
      .from(deployments)
      .where(inArray(deployments.state, [...doneStates]))
      .all()
      .map(row => row.device),
  )

export const latest = (db: Db, device: number): DeploymentRow | undefined =>
  db
    .select()
    .from(deployments)
    .where(eq(deployments.device, device))
    .orderBy(desc(deployments.createdAt), desc(deployments.id))
    .limit(1)
    .get()

/** The push that its device had taken last when this one began, in short. */
export const pushBefore = (db: Db, { device, createdAt }: DeploymentRow) =>
  db
    .select({ documents: deployments.documents })
    .from(deployments)
    .where(
      and(
        eq(deployments.device, device),
        inArray(deployments.state, [...doneStates]),
        lt(deployments.createdAt, createdAt),
      ),
    )
    .orderBy(desc(deployments.endedAt))
    .limit(1)
    .get()

/** A push to it is in hand. */
export function isPushing(db: Db, device: number): boolean {
  const push = latest(db, device)
  return push !== undefined && (runningStates as readonly string[]).includes(push.state)
}

export const inState = (db: Db, states: readonly DeploymentState[]): DeploymentRow[] =>
  db
    .select()
    .from(deployments)
    .where(inArray(deployments.state, [...states]))
    .orderBy(deployments.createdAt)
    .all()

/** The oldest of a device's pushes go, but never the last applied one nor one in hand. */
export function trimDeployments(db: Db, device: number): void {
  const kept = lastAppliedTo(db, device)?.id
  const inHand = inArray(deployments.state, [...runningStates])
  keepNewest(db, deployments, eq(deployments.device, device), limits.configurationsPerDevice, {
    by: [deployments.createdAt, deployments.id],
    except: kept === undefined ? inHand : or(inHand, eq(deployments.id, kept)),
  })
}

/** Each device's latest push, without its configuration. */
export const latestPushes = (db: Db, network: number) =>
  db
    .select({
      device: deployments.device,
      id: deployments.id,
      state: deployments.state,
      reason: deployments.reason,
      detail: deployments.detail,
      values: deployments.values,
      endedAt: deployments.endedAt,
      createdAt: sql<number>`max(${deployments.createdAt})`,
    })
    .from(deployments)
    .innerJoin(devices, eq(devices.id, deployments.device))
    .where(eq(devices.network, network))
    .groupBy(deployments.device)
    .all()
export type LatestPush = ReturnType<typeof latestPushes>[number]

/** What a device was last given, without its configuration. */
export const lastPushTo = (db: Db, device: number) =>
  db
    .select({ id: deployments.id, documents: deployments.documents, startedAt: deployments.startedAt })
    .from(deployments)
    .where(and(eq(deployments.device, device), inArray(deployments.state, [...doneStates])))
    .orderBy(desc(deployments.endedAt))
    .limit(1)
    .get()

/** What each device of a network was last given: one row a device, without its configuration. */
export const lastPushes = (db: Db, network: number) =>
  db
    .select({
      device: deployments.device,
      id: deployments.id,
      outline: deployments.outline,
      documents: deployments.documents,
      startedAt: deployments.startedAt,
      endedAt: sql<number>`max(${deployments.endedAt})`,
    })
    .from(deployments)
    .innerJoin(devices, eq(devices.id, deployments.device))
    .where(and(eq(devices.network, network), inArray(deployments.state, [...doneStates])))
    .groupBy(deployments.device)
    .all()
export type LastPush = ReturnType<typeof lastPushes>[number]
