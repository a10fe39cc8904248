import * as z from 'zod'
import { limits } from '@/model/limits'
import { logsPart, readReception } from '@/server/insight/logs/reception'
import { call } from '@/server/kernel/call'
import { csvName, csvPages } from '@/server/kernel/csv'
import { recordKinds } from '@/server/worker/intake/record-table'
import { recordColumns } from './csv'
import { recordPages } from './find'
import { recordingGateways } from './gateways'
import { recordsPart } from './start'

const reading = { tag: 'logs', scope: 'network', authority: 'records', changes: false } as const

const kind = z.enum(recordKinds)
/** Days. */
const period = z.union([z.literal(1), z.literal(7), z.literal(30)])
const search = z.string().max(limits.textCharacters).optional()
/** As the records have it. */
const client = z.string().max(45).optional()

const find = call({
  ...reading,
  path: 'records/find',
  input: z.strictObject({
    kind,
    period: period.default(1),
    search,
    client,
    /** Goes on where an answer said `next`: records that are older. */
    before: z.int().min(1).optional(),
    pageSize: z.int().min(1).max(limits.trafficRecordsOnPage).default(50),
  }),
  /**
   * Newest first: {records, next?, searchedTo?: older ones were not looked at, in the time}. `client` has the name and the
   * MAC address of who has its address now, or had it last; `url`: `name`, `type`; `nat`: `target`, `protocol`, and
   * `outer`, its translated address, absent where it was not heard.
   */
  run: (context, { before, pageSize, ...wanted }) => recordPages(context, wanted)(pageSize, before),
})

const status = call({
  ...reading,
  path: 'records/status',
  input: z.strictObject({}),
  /**
   * What is recorded: of each kind whether it is, how many bytes it has, since when (unix ms), how many records could not
   * be kept since the manager's start, why none can be written now, and how it stands with the log server. `receiving`:
   * whether the manager receives what devices log; `damaged`: a row of the settings cannot be read, and what was recorded
   * goes on.
   */
  run({ runtime, network }) {
    const records = recordsPart.find(runtime)
    const logs = records?.logs(network.id)
    const counts = logsPart.find(runtime)?.recordCounts() ?? []
    const of = (wanted: (typeof recordKinds)[number], on = false) => {
      const own = counts.find(one => one.network === network.id && one.kind === wanted)
      const { bytes = 0, dropped = 0, oldest = null, error = null } = own ?? {}
      return { on, bytes, dropped, oldest, error, sending: records?.servers.status(network.id, wanted) ?? null }
    }
    const { protocol, tls } = readReception(runtime)
    return {
      ...{ url: of('url', logs?.urlLog), nat: of('nat', logs?.natLog), keepDays: logs?.keepDays ?? null },
      // A token of its own may stand in the path.
      logServer: logs?.logServer === undefined ? null : new URL(logs.logServer).origin,
      receiving: protocol !== 'off' || tls,
      damaged: logs?.damaged === true,
    }
  },
})

const gateways = call({
  ...reading,
  path: 'records/gateways',
  input: z.strictObject({ kind }),
  /** The gateways of the network by name: whether each records these, and why it does not (`state`: RecordingGateway). */
  run: async ({ runtime, network }, input) => ({ result: await recordingGateways(runtime, network.id, input.kind) }),
})

const seconds = 300

const download = call({
  ...reading,
  path: 'exports/url-record',
  get: true,
  exports: true,
  // Whoever takes browsing along leaves a trace of it.
  changelog: 'entry',
  seconds,
  /** As `records/find` takes it, one value each. */
  input: z.strictObject({
    kind: kind.default('url'),
    period: z.coerce.number().pipe(period).default(1),
    search,
    client,
  }),
  /** A CSV file of all records that match, newest first. */
  run(context, wanted) {
    const { network, now, log } = context
    log({
      ...{ action: 'export', object: wanted.kind === 'url' ? 'urlRecords' : 'natRecords', name: network.name },
      fields: { days: [null, wanted.period] },
    })
    const found = recordPages(context, wanted)
    return csvPages(csvName(`${wanted.kind}-records`, now), {
      columns: recordColumns[wanted.kind],
      limitMs: seconds * 1000,
      async page(before) {
        const { records, next } = await found(1000, before)
        return { rows: records, next }
      },
    })
  },
})

export const recordCalls = [find, status, gateways, download] as const
