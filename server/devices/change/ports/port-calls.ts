import * as z from 'zod'
import { takesSetting } from '@/model/abilities'
import type { Assign } from '@/model/assign'
import { portNames } from '@/model/profiles/port-names'
import { fleetOf } from '@/server/devices/link/fleet'
import type { Host, Observation } from '@/server/drivers/observation'
import { type NamedPort, namedPorts, portCalled } from '@/server/drivers/port-profiles'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { type DocumentRow, isDamaged, openRow } from '@/server/kernel/documents'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { pathOf } from '@/server/networks/groups/groups'
import { saveDocument } from '@/server/networks/settings/documents'
import { isAssigned } from '../plan/assigned'
import { networkDocuments } from '../plan/desired'
import { type DeviceRow, type Engine, engineOf, findDevice } from '../plan/plan'
import { type ClientNames, clientsAt, namesOf } from './port-clients'

const deviceId = z.int().positive()
type Switch = { device: number; ports?: string }
type Given = {
  row: DocumentRow
  data: Record<string, unknown> & { ports: string[]; switches: Switch[] }
  assign: Assign
  /** As the profile names them on this device; none where it is not given to it. */
  names: string[]
  /** The device is given this profile; by a row of its own. */
  assigned: boolean
  own: boolean
}

function ownDevice({ runtime, network }: NetworkContext, id: number): DeviceRow {
  const found = findDevice(runtime, id)
  return found?.network === network.id ? found : fail('deviceNotFound', { id })
}

/** Every port profile of the network, and what it says of one device; damaged ones are left out. */
function profilesFor({ runtime, kinds }: Engine, device: DeviceRow): Given[] {
  const documents = networkDocuments(runtime.db, device.network)
  const path = pathOf(documents.groups, device.group)
  const kind = kinds.get('portProfile') ?? fail('notReady')
  return documents.rows
    .filter(row => row.kind === kind.id)
    .flatMap(row => {
      const opened = openRow(runtime.secrets, kind, row)
      if (isDamaged(opened)) return []
      const data = opened.data as Given['data']
      const assign = documents.assigns.get(row.id) as Assign
      const given = isAssigned(assign, device.id, path)
      const here = (given && kind.onDevice?.(data, device.id)) || { ports: [] }
      const own = given && data.switches.some(one => one.device === device.id)
      return [{ row, data, assign, names: here.ports as string[], assigned: given, own }]
    })
}

async function readingOf({ runtime }: NetworkContext, device: DeviceRow): Promise<Observation> {
  const read = await fleetOf(runtime).ask('reading', device.id)
  return read?.observation ?? { takenAt: 0, depth: 'full' }
}

/** Of so many a port's clients are named. */
const shownClients = 20
type Behind = { hosts: Host[] | undefined; names: ClientNames }
function rowOf(one: NamedPort, named: readonly NamedPort[], profiles: readonly Given[], { hosts, names }: Behind) {
  const { port, face } = one
  const own = hosts && clientsAt(face.key, hosts, names)
  const given = profiles.filter(({ names }) => names.some(name => portCalled(name, named) === one))
  return {
    ...{ interface: face.key, name: face.name, alias: face.alias, number: port.number, label: port.label },
    profiles: given.map(profile => ({ id: profile.row.id, name: profile.row.name, own: profile.own })),
    clients: own?.length,
    first: own?.slice(0, shownClients) ?? [],
  }
}
type PortRow = ReturnType<typeof rowOf>

const ports = call({
  path: 'devices/switch/ports',
  tag: 'devices',
  scope: 'network',
  authority: 'devices',
  changes: false,
  input: z.strictObject({ ...listInput, deviceId, interface: z.string().max(255).optional() }),
  /**
   * {result, total, page, pageSize, settable}: each port in panel order with its profile (`own`: by a row of this device), how many
   * clients hang on it (absent: the device does not tell) and the first of them, by the names that they have in the list. `settable`: profiles can be given.
   */
  async run(context, { page, pageSize, search, ...input }) {
    const device = ownDevice(context, input.deviceId)
    const seen = await readingOf(context, device)
    const named = namedPorts(seen).toSorted((a, b) => a.port.number - b.port.number)
    const profiles = profilesFor(engineOf(context.runtime), device)
    const names = namesOf(context.runtime, context.network.id, seen.hosts ?? [])
    const rows = named
      .filter(({ face }) => input.interface === undefined || face.key === input.interface)
      .map(one => rowOf(one, named, profiles, { hosts: seen.hosts, names }))
    const wanted = search?.trim().toLowerCase() ?? ''
    const words = (row: PortRow) => [row.name, row.label, row.alias, ...row.profiles.map(profile => profile.name)]
    const found = rows.filter(row => words(row).some(word => word?.toLowerCase().includes(wanted)))
    return {
      ...paginate(found, page, pageSize),
      settable: takesSetting(abilitiesOf(device), 'portProfile') && named.length > 0,
    }
  },
})

const joined = (names: readonly string[]) => (names.length ? { ports: names.join(', ') } : {})
const sameList = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n')

/** The profile as it is with other ports on one device: in its row, or in none where the profile's own list says it. */
function withNames(given: Given, device: number, names: readonly string[], known: ReadonlySet<number>): Switch[] {
  const others = given.data.switches.filter(row => row.device !== device && known.has(row.device))
  return sameList(names, given.data.ports) ? others : [...others, { device, ...joined(names) }]
}

type Move = { device: DeviceRow; named: readonly NamedPort[]; wanted: readonly NamedPort[]; profile: string | null }

/** Gives ports of one device to one profile, or to none; the other devices' ports stay where they are. */
function move(context: NetworkContext & Logging, { device, named, wanted, profile }: Move): number {
  const { runtime } = context
  const engine = engineOf(runtime)
  const kind = engine.kinds.get('portProfile') ?? fail('notReady')
  const all = profilesFor(engine, device)
  if (profile !== null && !all.some(({ row }) => row.id === profile)) failFields({ profile: 'notFound' })
  let changed = 0
  for (const given of all) {
    const { row, data, assign, names, assigned } = given
    const target = row.id === profile
    const there = names.map(name => portCalled(name, named))
    const left = names.filter((_, at) => target || !wanted.some(port => port === there[at]))
    const next = target ? [...left, ...wanted.filter(one => !there.includes(one)).map(({ face }) => face.name)] : left
    if (sameList(next, names)) continue
    const known = new Set(data.switches.filter(one => findDevice(runtime, one.device)).map(one => one.device))
    const to = assigned ? assign : { ...assign, devices: [...assign.devices, device.id] }
    const fields = { ...data, switches: withNames(given, device.id, next, known) }
    saveDocument(context, kind, { ...fields, id: row.id, revision: row.revision, assign: to })
    changed += 1
  }
  return changed
}

const portSave = call({
  path: 'devices/switch/port-save',
  topics: ['devices', 'settings'],
  tag: 'devices',
  scope: 'network',
  authority: 'settings_profiles_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({
    deviceId,
    /** Names of the interfaces. */
    ports: z.array(z.string().min(1).max(255)).min(1, 'required').max(512),
    profile: z.uuid('notFound').nullable(),
  }),
  /** {changed}: how many profiles name other ports now. Nothing is sent to the device before a push. */
  async run(context, input) {
    const device = ownDevice(context, input.deviceId)
    if (!takesSetting(abilitiesOf(device), 'portProfile')) failFields({ deviceId: 'notAllowed' })
    const named = namedPorts(await readingOf(context, device))
    const wanted = input.ports.map((name, at) => {
      // A row holds names with commas between.
      if (portNames(name).join() !== name) failFields({ [`ports.${at}`]: 'notAllowed' })
      return named.find(({ face }) => face.name === name) ?? failFields({ [`ports.${at}`]: 'notFound' })
    })
    const changed = context.runtime.db.transaction(() => move(context, { ...input, device, named, wanted }))
    return { changed }
  },
})

export const portCalls = [ports, portSave] as const
