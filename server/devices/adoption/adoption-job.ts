import { and, eq } from 'drizzle-orm'
import { credentials } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import type { LogEntry } from '@/server/kernel/changelog'
import { appendLog } from '@/server/kernel/changelog'
import { limiter } from '@/server/kernel/limiter'
import type { Runtime } from '@/server/kernel/runtime'
import { type TaskState, taskKind } from '@/server/kernel/task'
import { mayJob, type NetworkReach } from '@/server/people/access/access'
import { type AdoptFailure, type AdoptRequest, type AdoptStep, examine, type Owner, saveAdopted } from './adopt'

/** One device of an adoption: waiting, at a step, adopted with its number, or failed at a step with the reason. */
export type AdoptionItem = {
  address: string
  state: 'waiting' | 'running' | 'adopted' | 'failed'
  step?: AdoptStep
  deviceId?: number
  openLogin?: boolean
  name?: string
  failure?: AdoptFailure
}
type AdoptionProgress = { items: AdoptionItem[] }
export type AdoptionState = AdoptionProgress & { id: string; state: TaskState }

/** `credentialId`: a stored login; without it the same new login of several devices is stored once. */
export type AdoptionItemRequest = AdoptRequest & { credentialId?: number }
type By = Pick<LogEntry, 'account' | 'address'>

const together = 8

const adoptions = taskKind<AdoptionProgress>({ type: 'adopt', topic: 'discovery', kept: 'table' })

/** Saves what was found, with its login and its line in the changelog, in one transaction. */
function save(
  runtime: Runtime,
  owner: Owner,
  by: By,
  one: Parameters<typeof saveAdopted>[2],
  shared: Map<string, number>,
  credentialId?: number,
) {
  const key = JSON.stringify(one.credential)
  return runtime.db.transaction(() => {
    const saved = saveAdopted(runtime, owner, one, credentialId ?? shared.get(key))
    if ('failure' in saved) return saved
    shared.set(key, saved.credential)
    appendLog(runtime.db, runtime.secrets, {
      ...by,
      organization: owner.organization,
      network: owner.network,
      at: Date.now(),
      action: 'adopt',
      object: 'device',
      name: one.name,
      fields: { address: [null, one.address], driver: [null, one.driver] },
    })
    return saved
  })
}

type Adoption = { owner: Owner; by: By; shared: Map<string, number> }

async function adoptOne(runtime: Runtime, job: Adoption, request: AdoptionItemRequest, item: AdoptionItem) {
  const { organization, network } = job.owner
  item.state = 'running'
  const outcome = await examine(fleetOf(runtime), request, step => {
    item.step = step
  })
  const saved =
    'failure' in outcome
      ? outcome
      : save(runtime, job.owner, job.by, outcome.examined, job.shared, request.credentialId)
  if ('failure' in saved) Object.assign(item, { state: 'failed', failure: saved.failure, step: saved.failure.step })
  else if ('examined' in outcome) {
    const { name, openLogin } = outcome.examined
    Object.assign(item, { state: 'adopted', step: 'saved', deviceId: saved.id, name, openLogin })
    fleetOf(runtime).upsert(saved.id)
    runtime.bus.emit({ topic: 'devices', organization, network })
  }
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
  requests: readonly AdoptionItemRequest[],
  trustHostKeys = false,
): string {
  const { organization, network } = owner
  const items: AdoptionItem[] = requests.map(({ address }) => ({ address, state: 'waiting' }))
  const task = adoptions.add(runtime, { organization, network, progress: { items } })
  const job = { owner, by, shared: new Map<string, number>() }
  const doors = limiter(together)
  const one = async (request: AdoptionItemRequest, item: AdoptionItem) => {
    const asked = trustHostKeys && !request.hostKey ? { ...request, hostKey: 'first' as const } : request
    await adoptOne(runtime, job, asked, item)
    task.save()
  }
  void task.run(async () => {
    const all = requests.map((request, index) => {
      const item = items[index] as AdoptionItem
      return doors
        .run(() => one(request, item))
        .catch(error => {
          if (task.signal.aborted) return
          console.error('adoption:', error)
          Object.assign(item, { state: 'failed', failure: { step: 'reach', reason: 'internal', detail: '' } })
        })
    })
    await Promise.all(all)
  })
  return task.id
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
