import * as z from 'zod'
import type { Db } from '@/db/client'
import { api } from '@/model/manager/api'
import { appendLog, logged } from '@/server/kernel/changelog'
import { difference } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import { ownId, readOwnOrDefaults, storeOwn } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { state } from '@/server/kernel/settings'
import { hostOrganization } from '@/server/people/accounts/actor'

// Rule S8: the Presence API is off after a week in which nobody asked it. Who is where is personal, so that nothing answers
// it that was forgotten.

const weekMs = 7 * 86_400_000
const noteEveryMs = 60_000
const lookMs = 300_000

/** Unix ms; 0: never. */
const asked = state('presence', z.object({ at: z.number().default(0), onAt: z.number().default(0) }))

const ends = (db: Db): number => {
  const { at, onAt } = asked.read(db)
  return Math.max(at, onAt) + weekMs
}

/** It is on from now on: its week begins, unless it was on and goes on. */
export function beginPresence(db: Db, wasOn: boolean, now: number): void {
  if (!wasOn || now >= ends(db)) asked.change(db, { onAt: now })
}

export type Presence = { enabled: boolean /** When somebody asked last. */; askedAt?: number; endsAt?: number }

/** Whether it answers now, and until when if nobody asks; `endsAt` in unix ms. */
export function presenceAt(db: Db, now: number): Presence {
  const { at } = asked.read(db)
  const endsAt = ends(db)
  const enabled = readOwnOrDefaults(db, api).presence && now < endsAt
  return { enabled, ...(at > 0 && { askedAt: at }), ...(enabled && { endsAt }) }
}

/** Somebody asks: it goes on for another week; refused where it is off. */
export function askPresence({ db }: Pick<Runtime, 'db'>, now: number): void {
  if (!presenceAt(db, now).enabled) fail('presenceOff')
  if (now - asked.read(db).at >= noteEveryMs) asked.change(db, { at: now })
}

/** Turns it off where its week is over, and says so in the changelog. */
function endPresence(runtime: Runtime, now: number): void {
  const { db, secrets } = runtime
  const before = readOwnOrDefaults(db, api)
  if (!before.presence || presenceAt(db, now).enabled) return
  const after = { ...before, presence: false }
  db.transaction(tx => {
    storeOwn({ runtime, actor: { organization: 0, account: '' }, now }, tx, api, after)
    appendLog(tx, secrets, {
      ...{ organization: hostOrganization(tx) ?? null, network: null, at: now, account: '', address: '' },
      ...{ action: 'edit', object: logged(api), name: '' },
      ...{ fields: difference(api, before, after), document: ownId(api) },
    })
  })
}

export function startPresence(runtime: Runtime): void {
  runtime.jobs.start({ id: 'presence', every: lookMs, run: one => endPresence(one, Date.now()) })
}
