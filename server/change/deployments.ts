import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deployments } from '@/db/schema'
import type { NativeConfig, Pending, Warning } from '@/server/devices/driver'
import type { Runtime } from '@/server/kernel/runtime'

export type DeploymentRow = typeof deployments.$inferSelect
export type DeploymentState = DeploymentRow['state']
/** Work in hand: a device takes no second push while one of these stands. */
export const runningStates = ['queued', 'pushing', 'confirming'] as const satisfies DeploymentState[]

type Sealed = { before: NativeConfig; planned: NativeConfig; seen: NativeConfig; pending: Pending }
type Plain = Partial<
  Pick<DeploymentRow, 'state' | 'step' | 'reason' | 'detail' | 'windowSeconds' | 'startedAt' | 'armedAt' | 'endedAt'>
>
type Change = Plain & Partial<Sealed> & { warnings?: Warning[] }

const sealedFields = ['before', 'planned', 'seen', 'pending'] as const
const place = (id: string, field: string) => `deployments:${id}:${field}`

export function addDeployment(db: Db, device: { id: number; organization: number }, by: string, now: number): string {
  const id = randomUUID()
  db.insert(deployments)
    .values({ id, organization: device.organization, device: device.id, state: 'queued', by, createdAt: now })
    .run()
  return id
}

export const findDeployment = (db: Db, id: string): DeploymentRow | undefined =>
  db.select().from(deployments).where(eq(deployments.id, id)).get()

/** Writes one step of a push and tells the pages. What is needed to undo it is on disk when this returns. */
export function updateDeployment(runtime: Runtime, id: string, change: Change): void {
  const { before, planned, seen, pending, warnings, ...plain } = change
  const clear: Partial<Sealed> = { before, planned, seen, pending }
  const sealed = sealedFields.flatMap(field =>
    clear[field] ? [[field, runtime.secrets.seal(JSON.stringify(clear[field]), place(id, field))] as const] : [],
  )
  runtime.db
    .update(deployments)
    .set({ ...plain, ...Object.fromEntries(sealed), ...(warnings && { warnings: JSON.stringify(warnings) }) })
    .where(eq(deployments.id, id))
    .run()
  runtime.bus.emit({ topic: 'push', id })
}

/** A sealed part of a deployment, undefined where it was never written or does not open. */
export function openPart<F extends keyof Sealed>(
  runtime: Runtime,
  row: DeploymentRow,
  field: F,
): Sealed[F] | undefined {
  if (!row[field]) return undefined
  try {
    return JSON.parse(runtime.secrets.open(row[field], place(row.id, field))) as Sealed[F]
  } catch {
    return undefined
  }
}

export const lastApplied = (db: Db, device: number): DeploymentRow | undefined =>
  db
    .select()
    .from(deployments)
    .where(and(eq(deployments.device, device), inArray(deployments.state, ['applied', 'partial'])))
    .orderBy(desc(deployments.endedAt))
    .limit(1)
    .get()

export const latest = (db: Db, device: number): DeploymentRow | undefined =>
  db
    .select()
    .from(deployments)
    .where(eq(deployments.device, device))
    .orderBy(desc(deployments.createdAt), desc(deployments.id))
    .limit(1)
    .get()

export const inState = (db: Db, states: readonly DeploymentState[]): DeploymentRow[] =>
  db
    .select()
    .from(deployments)
    .where(inArray(deployments.state, [...states]))
    .orderBy(deployments.createdAt)
    .all()
