import * as z from 'zod'
import { f } from '@/model/fields'
import { limits } from '@/model/limits'
import { blockPage, blocksOf, type GuestBlock, releaseBlocks, saveBlocks } from '@/server/guests/sessions/blocks'
import { removeEverywhere } from '@/server/guests/sessions/gate'
import { endGuests, guestsIn, tellGuests } from '@/server/guests/sessions/store'
import { call } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { listInput } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import { giveLists } from './away'

const changing = {
  scope: 'network',
  authority: 'guests_remove',
  changes: true,
  topics: ['guests'],
  tag: 'guests',
  changelog: 'entry',
  send: 'each',
} as const

const macs = z.array(f.mac()).min(1, 'required').max(200, 'tooMany')
const instant = (ms: number | null | undefined) => (ms ? new Date(ms).toISOString() : undefined)

const list = call({
  scope: 'network',
  authority: 'guests',
  changes: false,
  tag: 'guests',
  path: 'guests/blocked/list',
  input: z.strictObject(listInput),
  /** Devices that the portal lets in by no means, the newest first; `until`: null is for good. */
  run({ runtime, network, now }, input) {
    const { result, ...page } = blockPage(runtime, network.id, input, now)
    return { result: result.map(({ network: _, ...one }) => one), ...page }
  },
})

/** Gateways know it for the time when the manager is away. */
function tellGateways(runtime: Runtime, network: number): void {
  giveLists(runtime, network).catch(error => console.error('guests:', error))
}

const block = call({
  ...changing,
  path: 'guests/block',
  input: z.strictObject({ macs, until: f.instant().optional(), note: f.text(limits.guestNoteCharacters).optional() }),
  /**
   * Keeps devices out of the guests' networks, for good or until a moment, and cuts off those that are in; those that are
   * blocked get this end and note. All or none. `ended`: how many were in; `silent` as for guests/remove.
   */
  async run({ runtime, network, actor, now, log }, input) {
    const until = input.until === undefined ? null : Date.parse(input.until)
    if (until !== null && until <= now) failFields({ until: 'untilPast' })
    const { db } = runtime
    const wanted = [...new Set(input.macs)]
    const place = { organization: actor.organization, network: network.id }
    const blocking = { network: network.id, until, note: input.note ?? '', at: now, by: actor.account }
    const ended = db.transaction(() => {
      const held = blocksOf(runtime, network.id, now)
      saveBlocks(runtime, wanted, blocking)
      const open = guestsIn(runtime, network.id).filter(one => wanted.includes(one.mac))
      endGuests(
        runtime,
        open.map(one => one.id),
        'blocked',
        now,
      )
      const fieldsOf = (before?: GuestBlock) => ({
        until: [instant(before?.until), instant(until)] as [unknown, unknown],
        notes: [before?.note || undefined, blocking.note || undefined] as [unknown, unknown],
      })
      for (const mac of wanted) log({ action: 'block', object: 'guest', name: mac, fields: fieldsOf(held.get(mac)) })
      return open
    })
    tellGuests(runtime, place)
    tellGateways(runtime, network.id)
    return { blocked: wanted.length, ended: ended.length, silent: await removeEverywhere(runtime, ended) }
  },
})

const unblock = call({
  ...changing,
  path: 'guests/unblock',
  input: z.strictObject({ macs }),
  /** Lets devices sign in again; one that is not blocked is no error. */
  run({ runtime, network, actor, log }, input) {
    const released = runtime.db.transaction(() => {
      const gone = releaseBlocks(runtime, network.id, input.macs)
      for (const { mac } of gone) log({ action: 'unblock', object: 'guest', name: mac })
      return gone
    })
    tellGuests(runtime, { organization: actor.organization, network: network.id })
    tellGateways(runtime, network.id)
    return { released: released.length }
  },
})

export const blockCalls = [list, block, unblock] as const
