import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { credentials, groups } from '@/db/schema'
import { limits } from '@/model/limits'
import { type AdoptionItemRequest, startAdoption } from '@/server/devices/adoption/adoption-job'
import { mayReuse } from '@/server/devices/adoption/credential-disclosure'
import { credentialInput, deviceAddress, devicePort, hostKeyFormat } from '@/server/devices/adoption/credential-input'
import { openCredential } from '@/server/devices/link/credential-store'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Credential } from '@/server/drivers/driver'
import { call, type NetworkContext } from '@/server/kernel/call'
import { csvFile, parseCsv } from '@/server/kernel/csv'
import { fail, failFields } from '@/server/kernel/fail'
import { networkGroups } from '@/server/networks/groups/groups'
import { deviceKinds, filterDevices, sortDevices } from './device-query'
import { type DeviceSummary, summaries } from './summary'

/** Columns an import file may have, by their head line; `address` is needed, and a login: `credential` names a stored one. */
const columns = [
  'address',
  'name',
  'protocol',
  'port',
  'credential',
  'user',
  'password',
  'community',
  'authProtocol',
  'authKey',
  'privProtocol',
  'privKey',
  'hostKey',
] as const
type Column = (typeof columns)[number]
type Line = Partial<Record<Column, string>>
type RowError = { row: number; field: string; problem: string }

const protocols: Record<string, Credential['type']> = {
  ssh: 'ssh',
  snmp: 'snmp2c',
  snmpv1: 'snmp1',
  snmp1: 'snmp1',
  snmpv2c: 'snmp2c',
  snmp2c: 'snmp2c',
  snmpv3: 'snmp3',
  snmp3: 'snmp3',
}

/** The file's lines by column; the head line decides, whatever its order and case. */
function linesOf(text: string): { row: number; line: Line }[] {
  const [head, ...rows] = parseCsv(text)
  const names = (head?.cells ?? []).map(name =>
    columns.find(column => column.toLowerCase() === name.trim().toLowerCase()),
  )
  if (!names.includes('address')) failFields({ file: 'addressColumnMissing' }, 'importInvalid')
  if (rows.length > limits.importRows) failFields({ file: 'tooManyRows' }, 'importInvalid')
  return rows.map(({ row, cells }) => ({
    row,
    line: Object.fromEntries(
      names.flatMap((name, index) => (name && cells[index]?.trim() ? [[name, cells[index]?.trim()]] : [])),
    ),
  }))
}

function givenLogin(line: Line): unknown {
  const type = protocols[(line.protocol ?? (line.community ? 'snmp2c' : 'ssh')).toLowerCase()]
  if (type === 'ssh') return { type, user: line.user ?? 'root', ...(line.password && { password: line.password }) }
  if (type === 'snmp3')
    return {
      type,
      user: line.user ?? '',
      level: line.privKey ? 'authPriv' : line.authKey ? 'authNoPriv' : 'noAuthNoPriv',
      ...(line.authKey && { authProtocol: line.authProtocol ?? 'sha', authKey: line.authKey }),
      ...(line.privKey && { privProtocol: line.privProtocol ?? 'aes', privKey: line.privKey }),
    }
  return { type, community: line.community ?? '' }
}

const lineShape = z.object({
  address: deviceAddress,
  port: z.coerce.number().pipe(devicePort).optional(),
  hostKey: hostKeyFormat.optional(),
  name: z.string().max(limits.deviceNameCharacters, 'tooLong').optional(),
})

type Stored = Map<string, { id: number; credential: Credential; mayBring: boolean }>

/** Which column of a login given in the line is wrong, and how. */
function loginProblem(line: Line, issue: z.core.$ZodIssue | undefined): Omit<RowError, 'row'> {
  const field = columns.find(column => column === issue?.path[0]) ?? 'protocol'
  return {
    field,
    problem:
      line[field] && field !== 'protocol' ? (issue?.message ?? 'invalid') : line[field] ? 'notAllowed' : 'required',
  }
}

/** One line as a request to adopt, or what is wrong with it. */
function readLine(line: Line, row: number, stored: Stored): AdoptionItemRequest | RowError[] {
  const parsed = lineShape.safeParse(line)
  const known = line.credential ? stored.get(line.credential.toLowerCase()) : undefined
  const login = credentialInput.safeParse(known?.credential ?? givenLogin(line))
  const errors: RowError[] = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map(issue => ({ row, field: issue.path.join('.'), problem: issue.message }))),
    ...(line.credential && !known ? [{ row, field: 'credential', problem: 'notFound' }] : []),
    ...(known?.mayBring === false ? [{ row, field: 'credential', problem: 'loginNotYours' }] : []),
    ...(login.success || line.credential ? [] : [{ row, ...loginProblem(line, login.error.issues[0]) }]),
  ]
  if (errors.length || !parsed.success || !login.success) return errors
  return { ...parsed.data, credential: login.data, ...(known && { credentialId: known.id }) }
}

function storedLogins({ runtime, network, actor }: NetworkContext): Stored {
  const rows = runtime.db.select().from(credentials).where(eq(credentials.network, network.id)).all()
  const opened = rows.map(row => ({ ...row, credential: openCredential(runtime, row) }))
  return new Map(
    opened.map(({ id, name, credential }) => [
      name.toLowerCase(),
      { id, credential, mayBring: mayReuse(actor, credential) },
    ]),
  )
}

const importFile = call({
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  path: 'devices/import',
  tag: 'devices',
  changelog: 'elsewhere',
  send: 'each',
  input: z.strictObject({
    /** Text of the file (rule N20: required). */
    file: z.string().min(1, 'required').max(limits.bodyBytes),
    /** Only looks at the file. */
    check: z.boolean().default(false),
    /**
     * Accept the host key that each SSH device shows now (trust on first use); without it a line needs its own
     * `hostKey`.
     */
    trustHostKeys: z.boolean().default(false),
    groupId: z.int().optional(),
  }),
  /**
   * Nothing is adopted while a line is wrong: {errors: [{row, field, problem}]}. Otherwise {jobId} of the adoption, to
   * be followed by devices/adopt/result.
   */
  async run(context, input) {
    const stored = storedLogins(context)
    const lines = linesOf(input.file)
    const read = lines.map(({ row, line }) => readLine(line, row, stored))
    const errors = read.flatMap(one => (Array.isArray(one) ? one : []))
    const requests = read.flatMap(one => (Array.isArray(one) ? [] : [one]))
    const doubled = requests.filter(
      (one, index) => requests.findIndex(other => other.address === one.address && other.port === one.port) !== index,
    )
    for (const one of doubled)
      errors.push({ row: lines[read.indexOf(one)]?.row ?? 0, field: 'address', problem: 'duplicate' })
    if (!read.length) failFields({ file: 'required' }, 'importInvalid')
    if (errors.length || input.check) return { rows: read.length, errors, jobId: '' }
    const group = input.groupId === undefined || input.groupId < 0 ? undefined : existingGroup(context, input.groupId)
    const { organization, networks } = context.actor
    const owner = { organization, networks, network: context.network.id, group }
    const by = { account: context.actor.account, address: context.address }
    return {
      rows: read.length,
      errors,
      jobId: startAdoption(context.runtime, owner, by, requests, input.trustHostKeys),
    }
  },
})

const existingGroup = ({ runtime, network }: NetworkContext, id: number): number =>
  runtime.db
    .select()
    .from(groups)
    .where(eq(groups.id, id))
    .all()
    .find(row => row.network === network.id)?.id ?? fail('groupNotFound')

const statusWords = ['offline', 'online', 'unpaired', 'paired'] as const
const exported: [string, (row: DeviceSummary) => string | number | undefined][] = [
  ['name', row => row.name],
  ['status', row => statusWords[row.status]],
  ['kind', row => row.kind],
  ['address', row => row.address],
  ['mac', row => row.mac],
  ['vendor', row => row.vendor],
  ['model', row => row.model],
  ['serial', row => row.serial],
  ['firmware', row => row.firmware],
  ['group', row => row.groupName],
  ['driver', row => row.driver],
  ['uptime seconds', row => row.uptimeSeconds],
  ['cpu %', row => round(row.cpuPercent)],
  ['memory %', row => round(row.memoryPercent)],
  ['clients', row => row.clients],
  ['in bit/s', row => round(row.inBps)],
  ['out bit/s', row => round(row.outBps)],
  ['last seen', row => (row.seenAt ? new Date(row.seenAt).toISOString() : undefined)],
  ['reason', row => row.reason],
  ['remarks', row => row.remarks],
]
const round = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 10) / 10)
/** What is not known is a word, never an empty cell that reads as nothing or zero. */
const known = (value: string | number | undefined) => (value === undefined ? 'unknown' : value)

const exportDevices = call({
  scope: 'network',
  authority: 'devices',
  changes: false,
  get: true,
  path: 'exports/devices',
  tag: 'devices',
  /** As the list's address says it: one value each. */
  input: z.strictObject({
    search: z.string().max(limits.textCharacters).optional(),
    status: z.coerce.number().pipe(z.int().min(0).max(3)).optional(),
    kind: z.enum(deviceKinds).optional(),
    group: z.coerce.number().pipe(z.int()).optional(),
  }),
  /** A CSV file of the network's devices; cells that a spreadsheet would run are defused. */
  run({ runtime, network, now }, { search, status, kind, group }) {
    const all = summaries(runtime, fleetOf(runtime), network.id, now)
    const filter = {
      ...(status !== undefined && { status: [status] }),
      ...(kind && { kind: [kind] }),
      ...(group !== undefined && { groupId: group }),
    }
    const found = filterDevices(all, networkGroups(runtime.db, network.id), filter, search)
    const rows = sortDevices(found, { field: 'name', direction: 'asc' })
    const lines = rows.map(row => exported.map(([, of]) => known(of(row))))
    return csvFile('devices', [exported.map(([head]) => head), ...lines], now)
  },
})

export const transferCalls = [importFile, exportDevices] as const
