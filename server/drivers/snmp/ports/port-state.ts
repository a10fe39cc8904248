import { DeviceError, type NativeBlock } from '../../driver'
import type { Session } from '../observe/session'
import { Mib, type Table, table } from '../protocol/table'
import { portList } from '../tables/bridge'
import { type Shape, shapes } from '../tables/interfaces'
import * as mibs from '../tables/mibs'
import { sockets } from '../tables/panel'
import { placing } from '../tables/power'

// What can be set of a switch's ports, as texts: the blocks that are planned, compared, written and put back.

const adminStatus = table('ifTable', '1.3.6.1.2.1.2.2.1', { admin: [7, 'int'] })
const tables: readonly Table[] = [
  mibs.ifTable,
  mibs.ifNames,
  adminStatus,
  mibs.basePorts,
  mibs.portVlans,
  mibs.vlanStatic,
  mibs.poePorts,
]

export const variables = ['ifAdminStatus', 'ifAlias', 'pethPsePortAdminEnable', 'vlans'] as const
export type Variable = (typeof variables)[number]

/** VLANs of a port: what untagged frames that come in belong to, and what goes out untagged and tagged. */
export type Vlans = { pvid: number; untagged: readonly number[]; tagged: readonly number[] }

/** One port, with its places in the tables that it is written to. */
export type PortState = {
  ifIndex: string
  name: string
  /** `group.port` of pethPsePortTable. */
  poeIndex?: string
  bridgePort?: number
  values: Partial<Record<Variable, string>>
}
type Membership = { vlan: number; egress: Buffer; untagged: Buffer }
export type SwitchState = { ports: PortState[]; vlans: Membership[] }

export const blockId = (port: string, variable: Variable): string => `snmp:${port}.${variable}`

/** The port's name may hold points itself: the variable is what follows the last one. */
export function partsOf(id: string): { port: string; variable: Variable } | undefined {
  const end = id.lastIndexOf('.')
  const variable = variables.find(one => one === id.slice(end + 1))
  return id.startsWith('snmp:') && variable ? { port: id.slice('snmp:'.length, end), variable } : undefined
}

const ordered = (vlans: Iterable<number>) => [...vlans].sort((a, b) => a - b).join(',')
export const vlansText = ({ pvid, untagged, tagged }: Vlans): string =>
  `pvid ${pvid}\nuntagged ${ordered(untagged)}\ntagged ${ordered(tagged)}`

/** The reverse of `vlansText`. */
export function parseVlans(text: string): Vlans {
  const of = (word: string) => new RegExp(`^${word} ([\\d,]*)$`, 'm').exec(text)?.[1] ?? ''
  const list = (word: string) => of(word).split(',').filter(Boolean).map(Number)
  return { pvid: Number(of('pvid')), untagged: list('untagged'), tagged: list('tagged') }
}

const admins: Record<number, string> = { 1: 'up', 2: 'down', 3: 'testing' }

function membershipsOf(mib: Mib): Membership[] {
  const none = Buffer.alloc(0)
  return mib
    .rows(mibs.vlanStatic)
    .map(({ index, egress = none, untagged = none }) => ({ vlan: Number(index), egress, untagged }))
    .filter(({ vlan }) => vlan >= 1 && vlan <= 4094)
}

function vlansOf(vlans: readonly Membership[], port: number, pvid: number): Vlans {
  const members = vlans.filter(({ egress }) => portList(egress).includes(port))
  const plain = members.filter(({ untagged }) => portList(untagged).includes(port)).map(one => one.vlan)
  return { pvid, untagged: plain, tagged: members.map(one => one.vlan).filter(vlan => !plain.includes(vlan)) }
}

/** Each variable only where the device has it. */
function portState(mib: Mib, vlans: readonly Membership[], { key, name, alias }: Shape, poe: Map<string, string>) {
  const port: PortState = { ifIndex: key, name, values: {} }
  const admin = admins[mib.rows(adminStatus).find(row => row.index === key)?.admin ?? 0]
  if (admin !== undefined) port.values.ifAdminStatus = admin
  if (mib.rows(mibs.ifNames).some(row => row.index === key && row.alias !== undefined))
    port.values.ifAlias = alias ?? ''
  const poeIndex = poe.get(key)
  const power = mib.rows(mibs.poePorts).find(row => row.index === poeIndex)?.admin
  if (poeIndex !== undefined && power !== undefined) {
    port.poeIndex = poeIndex
    port.values.pethPsePortAdminEnable = power === 1 ? 'on' : 'off'
  }
  const bridge = mib.rows(mibs.basePorts).find(row => String(row.ifIndex) === key)?.index
  const pvid = mib.rows(mibs.portVlans).find(row => row.index === bridge)?.pvid
  if (bridge !== undefined && pvid !== undefined && vlans.length > 0) {
    port.bridgePort = Number(bridge)
    port.values.vlans = vlansText(vlansOf(vlans, port.bridgePort, pvid))
  }
  return port
}

/** The ports with names of their own: what two share cannot be told apart. Rejects where a table could not be read. */
export async function readSwitch(session: Session): Promise<SwitchState> {
  const mib = new Mib()
  await mib.read(session.channel, tables)
  const [problem] = mib.problems
  if (problem) throw new DeviceError('commandFailed', `${problem.part}: ${problem.reason}`)
  const shape = shapes(mib)
  const own = sockets(shape).filter((one, _, all) => all.filter(other => other.name === one.name).length === 1)
  const place = placing(mib, shape)
  const poe = new Map(mib.rows(mibs.poePorts).flatMap(({ index }) => [[place(index) ?? '', index] as const]))
  const vlans = membershipsOf(mib)
  return { ports: own.map(one => portState(mib, vlans, one, poe)), vlans }
}

export const blocksOf = ({ ports }: SwitchState): NativeBlock[] =>
  ports.flatMap(({ name, values }) =>
    variables.flatMap(variable => {
      const text = values[variable]
      return text === undefined ? [] : [{ id: blockId(name, variable), text }]
    }),
  )
