import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { isInterfaceName } from '@/model/rules'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Interface } from '@/server/drivers/observation'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { wanInterfaces } from '@/server/drivers/wan'
import { call } from '@/server/kernel/call'

/** Most devices that are asked for what they have: what is proposed need not be whole. */
const asked = 64

const sources = call({
  path: 'settings/sources',
  tag: 'settings',
  scope: 'network',
  authority: 'devices',
  changes: false,
  input: z.strictObject({ source: z.enum(['interfaces', 'uplinks']), device: z.int().positive().optional() }),
  /** {result: {name, devices: string[]}[]}: interfaces that the network's gateways and switches had when last read. */
  async run({ runtime, network }, { source, device }) {
    const fleet = fleetOf(runtime)
    const rows = runtime.db
      .select({ id: devices.id, name: devices.name, kind: devices.kind, driver: devices.driver })
      .from(devices)
      .where(eq(devices.network, network.id))
      .orderBy(devices.name)
      .all()
    const wanted = rows
      .filter(row => abilitiesOf(row).settings === 'all' && (device ? row.id === device : row.kind !== 'ap'))
      .slice(0, asked)
    const found = new Map<string, string[]>()
    for (const [at, read] of (await Promise.all(wanted.map(row => fleet.ask('reading', row.id)))).entries())
      for (const name of interfaceNames(read?.observation?.interfaces ?? [], source))
        found.set(name, [...(found.get(name) ?? []), wanted[at]?.name ?? ''])
    const result = [...found].map(([name, names]) => ({ name, devices: names }))
    return { result: result.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })) }
  },
})

function interfaceNames(interfaces: readonly Interface[], source: 'interfaces' | 'uplinks'): string[] {
  const uplinks = new Set(wanInterfaces(interfaces))
  const fitting = interfaces.filter((one, index) =>
    source === 'uplinks' ? uplinks.has(index) : one.type === 'ethernet' || one.type === 'lag',
  )
  return fitting.map(one => one.name).filter(isInterfaceName)
}

/** What devices have that a settings form proposes. */
export const sourceCalls = [sources] as const
