// Two switches and a trunk between them: sw1 over SNMP, sw2 a Linux with Open vSwitch. Clients tell what their ports do.
import { managerWithSwitch } from './_change'
import { target } from './_device'
import { lab, until } from './_lab'

export const vsctl = async (...words: string[]) => (await lab.in('sw2', ['ovs-vsctl', ...words])).stdout.trim()
export const port = (name: string) => vsctl('get', 'port', name, 'tag', 'trunks', 'protected')
export let one: Awaited<ReturnType<typeof managerWithSwitch>>
export let second: number
const ids: Record<string, string> = {}

const host = { c1: '192.168.55.1', c2: '192.168.55.2', c3: '192.168.55.3' } as const
type Client = keyof typeof host
export const reaches = async (from: Client, to: Client) =>
  (await lab.in(from, ['ping', '-c', '1', '-W', '1', host[to]])).code === 0
export const untilReached = (from: Client, to: Client) => until(() => reaches(from, to), { everyMs: 100 })

export async function save(name: string, fields: object): Promise<void> {
  const rows = (await one.ok('settings/portProfile/list', { page: 1, pageSize: 50 })) as {
    result: { id: string; name: string }[]
  }
  const before = rows.result.find(row => row.name === name)
  const stored = before && (await one.ok('settings/portProfile/get', { id: before.id }))
  const { position: _p, changedAt: _a, changedBy: _b, ...own } = stored ?? {}
  const made = { name, ports: [], assign: { all: false, groups: [], devices: [] }, ...own, ...fields }
  ids[name] = String((await one.ok('settings/portProfile/save', made)).id)
}
export const give = (deviceId: number, ports: string[], profile: string | null) =>
  one.ok('devices/switch/port-save', { deviceId, ports, profile: profile && ids[profile] })
/** To both switches, though it interrupts the manager's own way to the second. */
export async function pushed(...devices: number[]): Promise<void> {
  for (const id of devices)
    expect(await one.pushed({ deviceIds: [id], cut: [second] })).toMatchObject({ state: 'applied', detail: '' })
}

export async function begin(): Promise<void> {
  await lab.up()
  await Promise.all([lab.reset('sw1'), lab.reset('sw2')])
  await lab.reset('c3')
  // Where the answer to a change is lost on the way that it changes, that is waited for before the proof.
  one = await managerWithSwitch(90)
  second = await one.adopt({ found: await target('sw2'), name: 'sw2', driver: 'linux', kind: 'switch' })
  for (const [name, address] of Object.entries(host))
    await lab.in(name as Client, ['ip', 'addr', 'replace', `${address}/24`, 'dev', 'eth0'])
}
export async function end(): Promise<void> {
  // First those that are off again: a switch that begins anew has no neighbour that is gone.
  await Promise.all([lab.off('c3'), lab.off('sw2')])
  await one?.end()
  for (const client of ['c1', 'c2'] as const)
    await lab.in(client, ['ip', 'addr', 'del', `${host[client]}/24`, 'dev', 'eth0'])
}
