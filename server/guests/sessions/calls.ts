import * as z from 'zod'
import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import { everyGuestState } from '@/model/guests/session'
import { call } from '@/server/kernel/call'
import { csvFile } from '@/server/kernel/csv'
import { listInput } from '@/server/kernel/lists'
import { idsInput, storedGuests } from './chosen'
import { extend } from './extend-call'
import { removeEverywhere } from './gate'
import { everyGuest, guestPage, type ListedGuest } from './list'
import { endGuests, forgetGuests, type Guest, guestsIn, tellGuests } from './store'

const methodCodes = Object.values(guestMethods)
const filter = { state: z.literal(everyGuestState).optional(), method: z.literal(methodCodes).optional() }

const reading = { scope: 'network', authority: 'guests', changes: false, tag: 'guests' } as const

const list = call({
  ...reading,
  path: 'guests/list',
  input: z.strictObject({ ...listInput, filter: z.strictObject(filter).optional() }),
  /**
   * Who is in as a guest, was, or tried to, newest first. `counts` are of the whole network. What their gateway said last
   * is up to half a minute old; `stale`: the gateway does not answer.
   */
  run: ({ runtime, network, now }, input) => guestPage(runtime, network.id, input, now),
})

const nameOf = (code: number) =>
  (Object.keys(guestMethods) as GuestMethod[]).find(name => guestMethods[name] === code) ?? String(code)
const stateWords = ['expired', 'in', 'failed'] as const
const iso = (ms: number | null) => (ms === null ? undefined : new Date(ms).toISOString())

const columns: readonly (readonly [string, (one: ListedGuest) => string | number | undefined])[] = [
  ['state', one => stateWords[one.state]],
  ['mac', one => one.mac],
  ['address', one => one.address],
  ['method', one => nameOf(one.method)],
  ['voucher', one => one.voucher ?? undefined],
  ['voucher group', one => (one.voucher === null ? undefined : one.label)],
  ['name', one => (one.voucher === null ? one.label : undefined)],
  ['network', one => one.lanName],
  ['gateway', one => one.device?.name],
  ['since', one => iso(one.started)],
  ['ends', one => iso(one.ends)],
  ['ended', one => iso(one.ended)],
  ['why', one => one.why],
  ['bytes', one => one.bytes],
  ['byte limit', one => one.byteLimit ?? undefined],
  ['blocked until', one => one.blocked && (iso(one.blocked.until) ?? 'for good')],
]

const numbered = z.coerce.number()
const exportGuests = call({
  ...reading,
  get: true,
  exports: true,
  path: 'exports/guests',
  input: z.strictObject({
    search: listInput.search,
    state: numbered.pipe(z.literal(everyGuestState)).optional(),
    method: numbered.pipe(z.literal(methodCodes)).optional(),
  }),
  /** A CSV file of the guests that the list shows; what is not known is empty. */
  run({ runtime, network, now }, { search, ...wanted }) {
    const found = everyGuest(runtime, network.id, { search, filter: wanted }, now)
    // A column for each question that somebody answered.
    const questions = [...new Set(found.flatMap(one => one.answers.map(answer => answer.label)))]
    const answered = (one: ListedGuest) => questions.map(label => one.answers.find(of => of.label === label)?.value)
    const rows = found.map(one => [...columns.map(([, of]) => of(one)), ...answered(one)])
    return csvFile('guests', [[...columns.map(([head]) => head), ...questions], ...rows], now)
  },
})

const remove = call({
  scope: 'network',
  authority: 'guests_remove',
  changes: true,
  tag: 'guests',
  path: 'guests/remove',
  topics: ['guests'],
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ ids: idsInput }),
  /**
   * Ends guests who are in and cuts their connections at once; all or none, who is not in any more is no error. `silent`:
   * gateways that did not hear it, which cut them off as soon as they answer again.
   */
  async run({ runtime, network, now, log }, { ids }) {
    const { db } = runtime
    const ended = db.transaction((): Guest[] => {
      const open = storedGuests(runtime, network.id, ids).filter(one => one.ended === null)
      endGuests(runtime, ids, 'removed', now)
      for (const { mac } of open) log({ action: 'remove', object: 'guest', name: mac })
      return open
    })
    const [first] = ended
    if (first) tellGuests(runtime, first)
    return { removed: ended.length, silent: await removeEverywhere(runtime, ended) }
  },
})

const forget = call({
  scope: 'network',
  authority: 'guests_remove',
  changes: true,
  tag: 'guests',
  path: 'guests/forget',
  topics: ['guests'],
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({ ids: idsInput }),
  /**
   * Deletes every record of the devices of these guests in the network; whoever is in is cut off at once. All or none.
   * `forgotten`: devices; `silent`: as for guests/remove.
   */
  async run({ runtime, network, now, log }, input) {
    const { db } = runtime
    const { macs, open, told } = db.transaction(() => {
      const rows = storedGuests(runtime, network.id, input.ids)
      const macs = [...new Set(rows.map(one => one.mac))]
      const open = guestsIn(runtime, network.id).filter(one => macs.includes(one.mac))
      endGuests(
        runtime,
        open.map(one => one.id),
        'removed',
        now,
      )
      forgetGuests(runtime, network.id, macs)
      // Whom it was about is what is forgotten.
      log({ action: 'delete', object: 'guest', name: '', fields: { quantity: [macs.length, undefined] } })
      return { macs, open, told: rows[0] }
    })
    if (told) tellGuests(runtime, told)
    return { forgotten: macs.length, silent: await removeEverywhere(runtime, open) }
  },
})

export const guestCalls = [list, exportGuests, remove, extend, forget] as const
