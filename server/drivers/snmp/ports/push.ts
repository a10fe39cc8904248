import { randomUUID } from 'node:crypto'
import {
  DeviceError,
  isDeviceError,
  type NativeBlock,
  type NativeConfig,
  type Pending,
  type PushEvents,
} from '../../driver'
import type { Session } from '../observe/session'
import { tag } from '../protocol/ber'
import type { Setting } from '../protocol/ber-write'
import { set } from '../protocol/transport'
import { poePorts } from '../tables/mibs'
import { blocksOf, type PortState, partsOf, readSwitch, type SwitchState, type Variable } from './port-state'
import { dropVlan, makeVlan, missingVlans, vlanSettings } from './vlan-write'

// SNMP has no transaction and no timer: what a push changed is kept with the manager, which writes it back.

const ifTable = '1.3.6.1.2.1.2.2.1'
const ifXTable = '1.3.6.1.2.1.31.1.1.1'

type Kept = { before: NativeBlock[]; vlans: number[] }
const keptOf = ({ data }: Pending): Kept => data as Kept

const requests: Record<Variable, (state: SwitchState, port: PortState, text: string) => Setting[][]> = {
  ifAdminStatus: (_, { ifIndex }, text) => [
    [{ oid: `${ifTable}.7.${ifIndex}`, type: tag.integer, value: text === 'up' ? 1 : 2 }],
  ],
  ifAlias: (_, { ifIndex }, text) => [
    [{ oid: `${ifXTable}.18.${ifIndex}`, type: tag.octets, value: Buffer.from(text) }],
  ],
  pethPsePortAdminEnable: (_, { poeIndex }, text) =>
    poeIndex === undefined
      ? []
      : [[{ oid: `${poePorts.entry}.3.${poeIndex}`, type: tag.integer, value: text === 'on' ? 1 : 2 }]],
  vlans: (state, { bridgePort }, text) => (bridgePort === undefined ? [] : vlanSettings(state, bridgePort, text)),
}

/** Blocks of `next` that differ from what the switch has, in its own words. */
function changedBlocks(state: SwitchState, next: NativeConfig): { before: NativeBlock; text: string }[] {
  const now = new Map(blocksOf(state).map(block => [block.id, block]))
  return next.blocks.flatMap(({ id, text }) => {
    const before = now.get(id)
    if (!before) throw new DeviceError('commandFailed', `${id} is not on the device any more`)
    return before.text === text ? [] : [{ before, text }]
  })
}

const newVlans = (state: SwitchState, texts: readonly { id: string; text: string }[]): number[] => [
  ...new Set(texts.flatMap(({ id, text }) => (partsOf(id)?.variable === 'vlans' ? missingVlans(state, text) : []))),
]

type Written = { id: string; text: string }

/** Writes a text to its variable, request by request. */
export async function writeOne(session: Session, state: SwitchState, { id, text }: Written): Promise<void> {
  const parts = partsOf(id)
  const port = state.ports.find(one => one.name === parts?.port)
  if (!parts || !port) throw new DeviceError('commandFailed', `${id} is not on the device any more`)
  for (const request of requests[parts.variable](state, port, text))
    await set(session.channel, request).catch(error => {
      throw isDeviceError(error) ? new DeviceError(error.reason, `${id}: ${error.detail ?? ''}`) : error
    })
}

/** A switch that answers that it will not, for one variable that stands alone: VLANs are several that belong together. */
const isRefusal = (error: unknown, { id }: Written): boolean =>
  isDeviceError(error) &&
  (error.reason === 'commandFailed' || error.reason === 'credentials') &&
  partsOf(id)?.variable !== 'vlans'

/** Writes what the switch takes, and names what it refuses; rejects where it takes nothing. */
async function writeTaken(session: Session, state: SwitchState, blocks: readonly Written[]) {
  const rejected: NonNullable<Pending['rejected']> = []
  for (const block of blocks)
    try {
      await writeOne(session, state, block)
    } catch (error) {
      if (!isRefusal(error, block) || rejected.length + 1 === blocks.length) throw error
      rejected.push({ block: block.id, reason: (error as DeviceError).reason })
    }
  return rejected
}

export const read = async (session: Session): Promise<NativeConfig> => ({
  blocks: blocksOf(await readSwitch(session)),
})

/** The former values are stored before the first one is changed. */
export async function push(
  session: Session,
  _: NativeConfig,
  next: NativeConfig,
  confirmSeconds: number,
  events: PushEvents,
): Promise<Pending> {
  events.step('snapshot')
  const state = await readSwitch(session)
  const changes = changedBlocks(state, next)
  const wanted = changes.map(({ before, text }) => ({ id: before.id, text }))
  const kept: Kept = { before: changes.map(one => one.before), vlans: newVlans(state, wanted) }
  const pending: Pending = {
    id: randomUUID(),
    armedAt: Date.now(),
    confirmSeconds,
    driver: 'snmp',
    data: kept,
    undoneBy: 'manager',
  }
  await events.pending(pending)
  events.step('apply')
  for (const vlan of kept.vlans) await set(session.channel, makeVlan(vlan))
  const rejected = await writeTaken(session, kept.vlans.length ? await readSwitch(session) : state, wanted)
  return rejected.length ? { ...pending, rejected } : pending
}

/** Puts back what the push found, as far as it differs by now, and takes out the VLANs that it made. */
export async function revert(session: Session, pending: Pending): Promise<void> {
  const { before, vlans } = keptOf(pending)
  const state = await readSwitch(session)
  const now = new Map(blocksOf(state).map(block => [block.id, block.text]))
  for (const block of before.filter(one => now.get(one.id) !== one.text)) await writeOne(session, state, block)
  const left = new Set((await readSwitch(session)).vlans.map(one => one.vlan))
  for (const vlan of vlans.filter(one => left.has(one))) await set(session.channel, dropVlan(vlan))
}

/** The device keeps no record: it went back when it has all the former values again. */
export async function state(session: Session, pending: Pending): Promise<'waiting' | 'reverted'> {
  const { before, vlans } = keptOf(pending)
  const found = await readSwitch(session)
  const now = new Map(blocksOf(found).map(block => [block.id, block.text]))
  const back = before.every(block => now.get(block.id) === block.text)
  return back && !found.vlans.some(one => vlans.includes(one.vlan)) ? 'reverted' : 'waiting'
}
