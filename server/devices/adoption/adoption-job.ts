import { and, eq } from 'drizzle-orm'
import { credentials } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import { notSelf } from '@/server/devices/link/managed-devices'
import type { LogEntry, LogFields } from '@/server/kernel/changelog'
import { appendLog } from '@/server/kernel/changelog'
import { limiter } from '@/server/kernel/limiter'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type Task, type TaskState, taskKind } from '@/server/kernel/task'

import type { SettingsContext } from '@/server/networks/settings/documents'
import { mayJob, type NetworkReach } from '@/server/people/access/access'
import { type Owner, saveAdopted } from './adopt'
import { importAtAdoption } from './at-adoption'
import {
  type AdoptFailure,
  type AdoptRequest,
  type AdoptStep,
  examine,
  type LoginTry,
  type Outcome,
  type Place,
} from './examine'

/** One device of an adoption: waiting, at a step, adopted with its number, or failed at a step with the reason. */
export type AdoptionItem = {
  address: string
  state: 'waiting' | 'running' | 'adopted' | 'failed'
  step?: AdoptStep
  /** Which of several logins is tried. */
  login?: Pick<Place, 'login' | 'of'>
  deviceId?: number
  openLogin?: boolean
  name?: string
  failure?: AdoptFailure
  /** How each login fared, in their order; absent while none has. */
  tries?: LoginTry[]
}
type AdoptionProgress = { items: AdoptionItem[] }
export type AdoptionState = AdoptionProgress & { id: string; state: TaskState }

type By = Pick<LogEntry, 'account' | 'address'>

const together = 8

const adoptions = taskKind<AdoptionProgress>({ type: 'adopt', topic: 'discovery' })

/** Saves what was found, with its login and its line in the changelog, in one transaction. */
function save(
  runtime: Runtime,
  owner: Owner,
  by: By,
  { examined: one, login }: Extract<Outcome, { login: unknown }>,
  shared: Map<string, number>,
) {
  const key = JSON.stringify(one.credential)
  return runtime.db.transaction(() => {
    const saved = saveAdopted(runtime, owner, one, login.credentialId ?? shared.get(key))
    if ('failure' in saved) return saved
    shared.set(key, saved.credential)
    const now = Date.now()
    const { organization, network } = owner
    const log: SettingsContext['log'] = entry =>
      appendLog(runtime.db, runtime.secrets, {
        ...by,
        organization,
        network,
        at: now,
        ...entry,
        fields: entry.fields ?? {},
      })
    const fields: LogFields = { address: [null, one.address], driver: [null, one.driver] }
    log({ action: 'adopt', object: 'device', name: one.name, fields })
    const actor = { organization, account: by.account }
    importAtAdoption({ runtime, actor, network: { id: network, name: '' }, now, log }, saved.id, one.imports)
    return saved
  })
}

/** What is told of a device while it is examined. */
export const tellStep =
  (item: AdoptionItem) =>
  ({ step, login, of }: Place): void => {
    item.step = step
    if (of > 1) item.login = { login, of }
  }

export function tellFailure(item: AdoptionItem, failure: AdoptFailure, tries: LoginTry[] = []): void {
  Object.assign(item, { state: 'failed', failure, step: failure.step, ...(tries.length > 0 && { tries }) })
}

const unforeseen: AdoptFailure = { step: 'reach', reason: 'internal', detail: '' }
const cancelled = ({ step = 'reach' }: AdoptionItem): AdoptFailure => ({ step, reason: 'cancelled', detail: '' })

type Examining<R> = { requests: readonly R[]; items: readonly AdoptionItem[]; signal: AbortSignal }

/**
 * Works on devices, eight at a time. Those whose turn did not come before the end was asked for have failed as cancelled,
 * what breaks without a reason has failed as `internal`.
 */
export async function eachDevice<R>(
  { requests, items, signal }: Examining<R>,
  one: (request: R, item: AdoptionItem) => Promise<void>,
): Promise<void> {
  const doors = limiter(together)
  const inTurn = async (request: R, item: AdoptionItem) => {
    if (signal.aborted) return tellFailure(item, cancelled(item))
    item.state = 'running'
    await one(request, item)
  }
  await Promise.all(
    requests.map((request, at) => {
      const item = items[at] as AdoptionItem
      return doors
        .run(() => inTurn(request, item))
        .catch(error => {
          if (signal.aborted) return
          console.error('adoption:', error)
          tellFailure(item, unforeseen)
        })
    }),
  )
}

type Adoption = { owner: Owner; by: By; shared: Map<string, number>; signal: AbortSignal }

async function adoptOne(runtime: Runtime, job: Adoption, request: AdoptRequest, item: AdoptionItem) {
  const { organization, network } = job.owner
  const { signal } = job
  const asked = { ...request, ...notSelf(runtime, organization) }
  const outcome = await examine(runtime, asked, { signal, onStep: tellStep(item) })
  if ('failure' in outcome) return tellFailure(item, outcome.failure, outcome.tries)
  if (signal.aborted) return tellFailure(item, cancelled(item), outcome.tries)
  const saved = save(runtime, job.owner, job.by, outcome, job.shared)
  if ('failure' in saved) return tellFailure(item, saved.failure, outcome.tries)
  const { name, openLogin } = outcome.examined
  const { tries } = outcome
  Object.assign(item, { state: 'adopted', step: 'saved', deviceId: saved.id, name, openLogin, tries })
  fleetOf(runtime).upsert(saved.id)
  runtime.bus.emit({ topic: 'devices', organization, network })
}

/**
 * Adopts devices in the background, eight at a time, each step told. Returns the job's number; `adoptionOf` tells how
 * it goes, also after the manager was started anew (what was adopted by then is adopted). `trustHostKeys`: a person said that the
 * keys the devices show now are theirs.
 */
export function startAdoption(
  runtime: Runtime,
  owner: Owner,
  by: By,
  requests: readonly AdoptRequest[],
  trustHostKeys = false,
): string {
  const { organization, network } = owner
  const items: AdoptionItem[] = requests.map(({ address }) => ({ address, state: 'waiting' }))
  const task = adoptions.add(runtime, { organization, network, progress: { items } })
  const job = { owner, by, shared: new Map<string, number>(), signal: task.signal }
  const one = async (request: AdoptRequest, item: AdoptionItem) => {
    const asked = trustHostKeys && !request.hostKey ? { ...request, hostKey: 'first' as const } : request
    await adoptOne(runtime, job, asked, item)
    task.save()
  }
  underWay.of(runtime).set(task.id, task)
  void task
    .run(() => eachDevice({ requests, items, signal: task.signal }, one))
    .finally(() => underWay.of(runtime).delete(task.id))
  return task.id
}

/** Adoptions under way, by their numbers. */
const underWay = part('adoptions', () => new Map<string, Task<AdoptionProgress>>())

/** Ends an adoption: what is not adopted by then stays as it is. False for one that is none of this person's. */
export function cancelAdoption(runtime: Runtime, actor: NetworkReach, id: string): boolean {
  if (!adoptionOf(runtime, actor, id)) return false
  underWay.of(runtime).get(id)?.cancel()
  return true
}

/** Adoptions that the manager's end cut short have failed, with what was adopted until then. */
export const startAdoptions = (runtime: Runtime): void => adoptions.takeUp(runtime)

/** How an adoption goes; undefined for an id that is none in this person's networks. */
export function adoptionOf(runtime: Runtime, actor: NetworkReach, id: string): AdoptionState | undefined {
  const found = adoptions.find(runtime, id)
  if (!found || found.organization !== actor.organization || !mayJob(actor, found)) return undefined
  return { id, state: found.state, items: found.progress.items }
}

/** A stored login of the network, opened. */
export const storedCredential = (runtime: Runtime, network: number, id: number) =>
  runtime.db
    .select()
    .from(credentials)
    .where(and(eq(credentials.id, id), eq(credentials.network, network)))
    .get()
