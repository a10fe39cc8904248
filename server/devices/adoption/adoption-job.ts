import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { credentials, jobs } from '@/db/schema'
import { fleetOf } from '@/server/devices/link/fleet'
import type { LogEntry } from '@/server/kernel/changelog'
import { appendLog } from '@/server/kernel/changelog'
import { lane } from '@/server/kernel/lanes'
import type { Runtime } from '@/server/kernel/runtime'
import { mayJob, mayNetwork, type Seeing } from '@/server/people/access/access'
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
export type AdoptionProgress = { items: AdoptionItem[] }
export type AdoptionState = AdoptionProgress & { id: string; state: 'running' | 'done' | 'failed' | 'cancelled' }

/** `credentialId`: a stored login; without it the same new login of several devices is stored once. */
export type AdoptionItemRequest = AdoptRequest & { credentialId?: number }
type By = Pick<LogEntry, 'account' | 'address'>

const together = 8

type Running = Map<string, AdoptionState & { organization: number; network: number }>
function running(runtime: Runtime): Running {
  const held = runtime.parts.get('adoptions') as Running | undefined
  if (held) return held
  const made: Running = new Map()
  runtime.parts.set('adoptions', made)
  return made
}

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
  const id = randomUUID()
  const items: AdoptionItem[] = requests.map(({ address }) => ({ address, state: 'waiting' }))
  const job = {
    id,
    state: 'running' as AdoptionState['state'],
    organization: owner.organization,
    network: owner.network,
    items,
  }
  const keep = () =>
    runtime.db
      .update(jobs)
      .set({ progress: JSON.stringify({ items }) })
      .where(eq(jobs.id, id))
      .run()
  runtime.db
    .insert(jobs)
    .values({
      id,
      organization: owner.organization,
      network: owner.network,
      type: 'adopt',
      state: 'running',
      createdAt: Date.now(),
      progress: JSON.stringify({ items }),
    })
    .run()
  running(runtime).set(id, job)
  const shared = new Map<string, number>()
  const doors = lane(together)
  const one = async (request: AdoptionItemRequest, item: AdoptionItem) => {
    item.state = 'running'
    const asked = trustHostKeys && !request.hostKey ? { ...request, hostKey: 'first' as const } : request
    const outcome = await examine(fleetOf(runtime), asked, step => {
      item.step = step
    })
    const saved =
      'failure' in outcome ? outcome : save(runtime, owner, by, outcome.examined, shared, request.credentialId)
    if ('failure' in saved) Object.assign(item, { state: 'failed', failure: saved.failure, step: saved.failure.step })
    else if ('examined' in outcome) {
      const { name, openLogin } = outcome.examined
      Object.assign(item, { state: 'adopted', step: 'saved', deviceId: saved.id, name, openLogin })
      fleetOf(runtime).upsert(saved.id)
      runtime.bus.emit({ topic: 'devices', organization: owner.organization, network: owner.network })
    }
    keep()
  }
  const whole = Promise.all(
    requests.map((request, index) =>
      doors
        .run(() => one(request, items[index] as AdoptionItem))
        .catch(error => {
          console.error('adoption:', error)
          Object.assign(items[index] as AdoptionItem, {
            state: 'failed',
            failure: { step: 'reach', reason: 'internal', detail: '' },
          })
        }),
    ),
  )
  void whole
    .then(() => {
      job.state = 'done'
      runtime.db
        .update(jobs)
        .set({ state: 'done', endedAt: Date.now(), progress: JSON.stringify({ items }) })
        .where(eq(jobs.id, id))
        .run()
      running(runtime).delete(id)
      runtime.bus.emit({ topic: 'discovery', id, organization: owner.organization, network: owner.network })
    })
    .catch(error => console.error('adoption:', error))
  return id
}

/** How an adoption goes; one that the manager's end cut short is `failed`, with what was adopted until then. */
export function adoptionOf(runtime: Runtime, actor: Seeing, id: string): AdoptionState | undefined {
  const live = running(runtime).get(id)
  if (live)
    return live.organization === actor.organization && mayNetwork(actor, live.network)
      ? { id, state: live.state, items: live.items }
      : undefined
  const row = runtime.db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.organization, actor.organization), eq(jobs.type, 'adopt')))
    .get()
  if (!row || !mayJob(actor, row)) return undefined
  const { items } = JSON.parse(row.progress) as AdoptionProgress
  return { id, state: row.state === 'running' ? 'failed' : row.state, items }
}

/** A stored login of the network, opened. */
export const storedCredential = (runtime: Runtime, network: number, id: number) =>
  runtime.db
    .select()
    .from(credentials)
    .where(and(eq(credentials.id, id), eq(credentials.network, network)))
    .get()
