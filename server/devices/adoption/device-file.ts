import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { credentials } from '@/db/schema'
import { limits } from '@/model/limits'
import { openCredential } from '@/server/devices/link/credential-store'
import type { Credential } from '@/server/drivers/driver'
import type { OrganizationContext } from '@/server/kernel/call'
import { parseCsv } from '@/server/kernel/csv'
import { failFields } from '@/server/kernel/fail'
import { deviceName } from '@/server/kernel/shapes'
import { loginName } from './adopt'
import { mayReuse } from './credential-disclosure'
import { credentialInput, deviceAddress, devicePort, hostKeyFormat } from './credential-input'
import type { AdoptRequest, Login } from './examine'

// Devices to adopt from a CSV file: of one network, or of several by the column `network`.

/**
 * Columns a file may have, by their head line; `address` is needed, and a login: `credential` names a stored one of the
 * network, or several that are tried in turn with `|` between them. `network` is one's name, in a file for several.
 */
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
  'network',
] as const
type Column = (typeof columns)[number]
export type Line = Partial<Record<Column, string>>
export type RowError = { row: number; field: string; problem: string }

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
  name: deviceName.optional(),
})

type Asking = Pick<OrganizationContext, 'runtime' | 'actor'>
type StoredLogin = Login & { mayBring: boolean }
type Stored = Map<string, StoredLogin>

/** Which column of a login given in the line is wrong, and how. */
function loginProblem(line: Line, issue: z.core.$ZodIssue | undefined): Omit<RowError, 'row'> {
  const field = columns.find(column => column === issue?.path[0]) ?? 'protocol'
  return {
    field,
    problem:
      line[field] && field !== 'protocol' ? (issue?.message ?? 'invalid') : line[field] ? 'notAllowed' : 'required',
  }
}

/** The stored logins that a line names; a name that has a `|` itself is one. */
function namedLogins(text: string, stored: Stored): StoredLogin[] | undefined {
  const whole = stored.get(text.toLowerCase())
  if (whole) return [whole]
  const each = text.split('|').map(name => stored.get(name.trim().toLowerCase()))
  return each.every(one => one !== undefined) ? each : undefined
}

const ownColumns: readonly Column[] = ['user', 'password', 'community', 'authKey', 'privKey', 'protocol']

/** One line as a request to adopt, or what is wrong with it. `common`: the logins of lines that have none of their own. */
function readLine(line: Line, row: number, stored: Stored, common: readonly Login[]): AdoptRequest | RowError[] {
  const parsed = lineShape.safeParse(line)
  const named = line.credential ? namedLogins(line.credential, stored) : undefined
  const useCommon = common.length > 0 && !line.credential && ownColumns.every(column => !line[column])
  const given = useCommon || line.credential ? undefined : credentialInput.safeParse(givenLogin(line))
  const errors: RowError[] = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map(issue => ({ row, field: issue.path.join('.'), problem: issue.message }))),
    ...(line.credential && !named ? [{ row, field: 'credential', problem: 'notFound' }] : []),
    ...(named?.some(one => !one.mayBring) ? [{ row, field: 'credential', problem: 'loginNotYours' }] : []),
    ...(given?.success === false ? [{ row, ...loginProblem(line, given.error.issues[0]) }] : []),
  ]
  if (errors.length || !parsed.success) return errors
  const own = given?.data ? [{ credential: given.data, name: loginName(given.data) }] : undefined
  const logins = named?.map(({ mayBring: _, ...login }) => login) ?? own ?? common
  return { ...parsed.data, logins }
}

function storedLogins({ runtime, actor }: Asking, network: number): Stored {
  const rows = runtime.db.select().from(credentials).where(eq(credentials.network, network)).all()
  const opened = rows.map(row => ({ ...row, credential: openCredential(runtime, row) }))
  return new Map(
    opened.map(({ id, name, credential }) => [
      name.toLowerCase(),
      { credentialId: id, name, credential, mayBring: mayReuse(actor, credential) },
    ]),
  )
}

/** Whose devices a line is about; `problem`: why it is nobody's. */
type Place = { network: number } | { problem: 'required' | 'notFound' }
export type FileRequest = AdoptRequest & { network: number }
type Read = { row: number; read: FileRequest | RowError[] }

/** Lines of the same device twice. */
function doubledRows(all: readonly Read[]): RowError[] {
  const seen = new Set<string>()
  return all.flatMap(({ row, read }) => {
    if (Array.isArray(read)) return []
    const key = `${read.network} ${read.address} ${read.port ?? ''}`
    const twice = seen.has(key)
    seen.add(key)
    return twice ? [{ row, field: 'address', problem: 'duplicate' }] : []
  })
}

/**
 * What a file asks for, and what is wrong in which line: {row, field, problem}. Refuses a file that is none, or empty.
 * `common`: the logins of lines that have none of their own.
 */
export function readDeviceFile(
  context: Asking,
  text: string,
  placeOf: (line: Line) => Place,
  common: readonly Login[] = [],
) {
  const logins = new Map<number, Stored>()
  const loginsOf = (network: number) => {
    const stored = logins.get(network) ?? storedLogins(context, network)
    logins.set(network, stored)
    return stored
  }
  const all = linesOf(text).map(({ row, line }): Read => {
    const place = placeOf(line)
    if ('problem' in place) return { row, read: [{ row, field: 'network', problem: place.problem }] }
    const read = readLine(line, row, loginsOf(place.network), common)
    return { row, read: Array.isArray(read) ? read : { ...read, network: place.network } }
  })
  if (!all.length) failFields({ file: 'required' }, 'importInvalid')
  const errors = all.flatMap(({ read }) => (Array.isArray(read) ? read : []))
  const requests = all.flatMap(({ read }) => (Array.isArray(read) ? [] : [read]))
  return { rows: all.length, errors: [...errors, ...doubledRows(all)], requests }
}
