import * as z from 'zod'
import { facilities } from '@/model/insight/facilities'
import { logRuleTerms } from '@/model/insight/log-rule'
import { limits } from '@/model/limits'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { assignShape } from '@/server/networks/settings/assignment'
import type { LogQuery, RuleMatches } from '@/server/worker/intake/search'
import { capturesNow } from './captures'
import { exportLines, findLines, showing } from './lines'
import { ownAddressTowards } from './own-address'
import { logsPart, readReception } from './reception'
import { devicesMeant } from './rules'

const reading = { tag: 'logs', scope: 'network', authority: 'logs', changes: false } as const

const severity = z.int().min(0).max(7)
const facility = z
  .int()
  .min(0)
  .max(facilities.length - 1)
const pattern = z.string().max(limits.textCharacters)
const moment = z.int().min(0)
const id = z.int().min(1)
const filter = {
  search: z.string().max(limits.textCharacters).optional(),
  device: id.optional(),
  severity: severity.optional(),
  facility: facility.optional(),
  /** As log rules look for it: `*` stands for anything. */
  like: pattern.optional(),
  from: moment.optional(),
  to: moment.optional(),
}
type Filter = z.output<z.ZodObject<typeof filter>> & { unknown?: boolean | undefined }

/** What is looked for. Lines of senders that are no device are for who holds the manager: they may be of any network. */
function queryOf({ network, actor }: NetworkContext, wanted: Filter, limit: number): LogQuery {
  const { search, like, unknown, ...rest } = wanted
  if (unknown && !actor.authorities.has('organization_manager')) fail('noAuthority')
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const texts = { ...(search?.trim() && { text: search }), ...(like?.trim() && { like }) }
  return { ...given, ...texts, network: unknown ? 0 : network.id, limit }
}

const find = call({
  ...reading,
  path: 'logs/find',
  input: z.strictObject({
    ...filter,
    /** Lines of senders that are no device. */
    unknown: z.boolean().optional(),
    /** Goes on where an answer said `next`: lines that are older. */
    before: id.optional(),
    /** Lines that are newer. */
    after: id.optional(),
    pageSize: z.int().min(1).max(200).default(50),
  }),
  /** Newest first: {lines, next?, searchedTo?, deviceName?: of the one that is looked for}. */
  async run(context, { pageSize, ...wanted }) {
    const { lines, ...more } = await findLines(context, queryOf(context, wanted, pageSize))
    const device = indexedDevices(context.runtime, context.network.id).find(one => one.id === wanted.device)
    return { lines: lines.map(showing(context)), ...more, ...(device && { deviceName: device.name }) }
  },
})

const hoursLooked = 24

const matches = call({
  ...reading,
  path: 'logs/matches',
  /** As the rule has them; `assign`: of which devices, of all where it is absent. */
  input: z.strictObject({ ...logRuleTerms.shape, assign: assignShape.optional() }),
  /**
   * What a log rule would have found among the lines of the last 24 hours: {from, lines, devices, alerts, latest: of the
   * lines the newest five, searchedTo?: older ones were not looked at, in the time or since these were enough}.
   */
  async run(context, { assign, ...terms }) {
    const { runtime, network, now } = context
    const meant = assign && devicesMeant(runtime, network.id, assign)
    const from = now - hoursLooked * 3_600_000
    const { text, ...rest } = terms
    const asked = { ...rest, ...(text !== undefined && { text }) }
    const query = { network: network.id, terms: asked, from, ...(meant && { devices: meant }) }
    const none: RuleMatches = { lines: 0, devices: 0, alerts: 0, latest: [] }
    const { latest, ...found } = (await logsPart.find(runtime)?.matches(query)) ?? none
    return { ...found, from, latest: latest.map(showing(context)) }
  },
})

const status = call({
  ...reading,
  path: 'logs/status',
  input: z.strictObject({}),
  /** How the reception is, whether somebody captures in this network, its counts since the manager's start. Addresses of senders that are no device: to who holds the manager. */
  run({ runtime, actor, network }) {
    const { protocol, port, days, megabytes, unknown, traps, trapPort, tls, tlsPort } = readReception(runtime)
    const now = logsPart.find(runtime)?.status()
    const mayKnow = actor.authorities.has('organization_manager')
    const shown = now && (mayKnow ? now : { ...now, strangers: [], refusedSenders: [] })
    const settings = { protocol, port, days, megabytes, unknown, traps, trapPort, tls, tlsPort }
    return { settings, capturing: capturesNow(runtime).some(one => one.network === network.id), now: shown ?? null }
  },
})

const target = call({
  ...reading,
  path: 'logs/target',
  also: ['settings_system'],
  /** `capturing`: as it is while somebody captures. */
  input: z.strictObject({ deviceId: id, capturing: z.boolean().default(false) }),
  /**
   * Where a device has to send its lines to, {protocol, host, port}, and its traps, {host, port}; null each that is not
   * received, and the reason where nothing is or no way leads here.
   */
  async run({ runtime, network }, { deviceId, capturing }) {
    const device = indexedDevices(runtime, network.id).find(one => one.id === deviceId) ?? fail('deviceNotFound')
    const { protocol, port, traps, trapPort } = readReception(runtime)
    const lines = protocol !== 'off' || capturing || capturesNow(runtime).length > 0
    if (!lines && !traps) return { target: null, traps: null, why: 'off' as const }
    const host = await ownAddressTowards(device.address)
    if (host === undefined) return { target: null, traps: null, why: 'noRoute' as const }
    const by = protocol === 'udp' ? ('udp' as const) : ('tcp' as const)
    return { target: lines ? { protocol: by, host, port } : null, traps: traps ? { host, port: trapPort } : null }
  },
})

const number = z.coerce.number().pipe(z.int().min(0)).optional()

const download = call({
  ...reading,
  path: 'exports/logs',
  get: true,
  exports: true,
  seconds: 'unlimited',
  /** As `logs/find` takes it, one value each. */
  input: z.strictObject({
    search: filter.search,
    device: number,
    severity: number.pipe(severity.optional()),
    facility: number.pipe(facility.optional()),
    like: filter.like,
    from: number,
    to: number,
    unknown: z.literal('1').optional(),
  }),
  /** A CSV file of all lines that match, newest first; cells that a spreadsheet would run are defused. */
  run(context, { unknown, ...wanted }) {
    // Whoever may not is refused now: nobody would hear of it once the file has begun.
    const query = queryOf(context, { ...wanted, unknown: unknown === '1' }, 1000)
    return exportLines(context, before => ({ ...query, ...(before !== undefined && { before }) }))
  },
})

export const logCalls = [find, matches, status, target, download] as const
