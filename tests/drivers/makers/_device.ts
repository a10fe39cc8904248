import type { Health, Port } from '@/server/drivers/hardware'
import type { Facts, Observation } from '@/server/drivers/observation'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { parseWalk, startAgent } from '../snmp-agent'

// A device as its MIBs describe it, small enough to be read in the test, behind an agent of its own on the loopback.

/** A number is an Integer32, text an OCTET STRING; the rest says its ASN.1 type. */
type Cell = number | string | { hex: string } | { oid: string } | { ip: string } | { gauge: number }

export type Device = {
  name: string
  /** sysObjectID, below 1.3.6.1.4.1. */
  objectId: string
  description: string
  /** Values below 1.3.6.1.4.1, or whole identifiers from `.1` on. */
  values?: Record<string, Cell>
  /** Names of Ethernet sockets: interfaces 1, 2 … in ifTable. */
  sockets?: string[]
  facts: Partial<Facts>
  health?: Health
  rest?: Partial<Observation>
  /** By socket, what it tells of power and VLANs. */
  ports?: Partial<Port>[]
}

const enterprise = '1.3.6.1.4.1.'
const whole = (name: string) => (name.startsWith('.') ? name.slice(1) : enterprise + name)

function line(name: string, cell: Cell): string {
  if (typeof cell === 'number') return `${name}|2|${cell}`
  if (typeof cell === 'string') return `${name}|4x|${Buffer.from(cell).toString('hex')}`
  if ('hex' in cell) return `${name}|4x|${cell.hex}`
  if ('oid' in cell) return `${name}|6|${cell.oid}`
  return 'ip' in cell ? `${name}|64|${cell.ip}` : `${name}|66|${cell.gauge}`
}

const ifEntry = '.1.3.6.1.2.1.2.2.1'
const sockets = (names: string[]): Record<string, Cell> =>
  Object.fromEntries(
    names.flatMap((name, i): [string, Cell][] => [
      [`${ifEntry}.1.${i + 1}`, i + 1],
      [`${ifEntry}.2.${i + 1}`, name],
      [`${ifEntry}.3.${i + 1}`, 6],
      [`${ifEntry}.6.${i + 1}`, { hex: `0200000000${(i + 1).toString(16).padStart(2, '0')}` }],
      [`${ifEntry}.7.${i + 1}`, 1],
      [`${ifEntry}.8.${i + 1}`, 1],
    ]),
  )

const walkOf = (device: Device): string =>
  Object.entries<Cell>({
    '.1.3.6.1.2.1.1.1.0': device.description,
    '.1.3.6.1.2.1.1.2.0': { oid: enterprise + device.objectId },
    ...sockets(device.sockets ?? []),
    ...device.values,
  })
    .map(([name, cell]) => line(whole(name), cell))
    .join('\n')

async function readTwice(device: Device): Promise<[full: Observation, poll: Observation]> {
  const agent = await startAgent(parseWalk(walkOf(device)))
  const credential = { type: 'snmp2c', community: 'public' } as const
  try {
    const session = await snmpDriver.connect(
      { address: '127.0.0.1', port: agent.port, credential },
      AbortSignal.timeout(60_000),
    )
    const full = await snmpDriver.observe(session, 'full')
    const poll = await snmpDriver.observe(session, 'counters')
    snmpDriver.close(session)
    return [full, poll]
  } finally {
    await agent.close()
  }
}

const told = ({ capabilities: _c, description: _d, sysObjectId: _s, mac: _m, ...facts }: Facts) => facts

const vendorParts = [
  'fans',
  'powerSupplies',
  'temperatures',
  'radios',
  'bss',
  'stations',
  'wirelessClients',
  'accessPoints',
  'poe',
  'vlans',
] as const

/** Reads each device whole and once as a poll: facts, health and the maker's parts are what the row says, and no more. */
export function readsAs(devices: readonly Device[]) {
  test.each(devices.map(each => [each.name, each] as const))('%s', async (_, device) => {
    const [full, poll] = await readTwice(device)
    const parts = Object.fromEntries(
      vendorParts.filter(part => full[part] !== undefined).map(part => [part, full[part]]),
    )
    expect({ facts: told(full.facts as Facts), health: full.health, ...parts }).toEqual({
      facts: device.facts,
      health: device.health ?? {},
      ...device.rest,
    })
    if (device.ports) expect(full.ports).toMatchObject(device.ports)
    expect(poll.health).toEqual(full.health)
    expect(full.problems).toBeUndefined()
  })
}
