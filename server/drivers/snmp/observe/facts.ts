import type { Health } from '../../hardware'
import { roleByVendor } from '../../models/registry'
import type { FactName, Source, Vendor } from '../../models/vendor'
import type { DeviceRole, Facts } from '../../observation'
import { type Mib, mac, type RowsOf } from '../protocol/table'
import { bridgePorts } from '../tables/bridge'
import type { Shape } from '../tables/interfaces'
import { memoryOf, petabyte, storageOf, ucdNames } from '../tables/memory'
import { entities, printers, processorLoad, sensors, system } from '../tables/mibs'
import { capabilities } from '../tables/neighbours'
import { sockets } from '../tables/panel'
import { isTemperature, sensorValue } from '../tables/parts'
import type { Readings } from '../tables/readings'

// What the device is, and how it is: the vendor's row, ENTITY-MIB, HOST-RESOURCES-MIB, UCD-SNMP-MIB. Pure.

type Entity = RowsOf<typeof entities>[number]

const chassisClass = 3

function chassisOf(mib: Mib): Entity | undefined {
  const rows = mib.rows(entities).filter(row => row.class === chassisClass)
  return rows.find(row => row.serial || row.model) ?? rows[0]
}

const useful = (words: string | undefined) =>
  words && /[^\s.0-]/.test(words) && !/^n\/?a$/i.test(words) ? words : undefined

/** What all say that say anything: modules of several versions are not the device's. */
function common(told: (string | undefined)[]): string | undefined {
  const all = new Set(told.filter(each => each !== undefined))
  return all.size === 1 ? [...all][0] : undefined
}

function entityFacts(mib: Mib): Partial<Record<FactName, string>> {
  const chassis = chassisOf(mib)
  const modules = mib.rows(entities).filter(row => row.class === chassisClass || row.class === 9)
  const printer = mib.rows(printers)[0]
  const first = (of: (row: Entity) => string | undefined) =>
    useful(chassis && of(chassis)) ?? modules.map(of).map(useful).find(Boolean)
  return {
    model: useful(chassis?.model) ?? useful(printer?.name),
    serial: useful(chassis?.serial) ?? useful(printer?.serial),
    firmware: useful(chassis?.software) ?? common(modules.map(row => useful(row.software))),
    hardware: useful(chassis?.hardware),
    boot: first(row => row.firmware),
  }
}

const general: Partial<Record<FactName, Source[]>> = {
  // RMON2-MIB's words are the maker's: a version is what has a point between digits.
  firmware: [
    { oid: system.probeSoftware, pattern: /^(.*\d\.\d.*)$/s },
    { oid: system.medSoftware, pattern: /^(.*\d\.\d.*)$/s },
  ],
  hardware: [{ oid: system.probeHardware }, { oid: system.medHardware }],
  boot: [{ oid: system.medFirmware, pattern: /^(.*\d\.\d.*)$/s }],
  model: [{ oid: system.medModel }],
  serial: [{ oid: system.medSerial }],
}

function fact(
  name: FactName,
  vendor: Vendor | undefined,
  readings: Readings,
  entity: Partial<Record<FactName, string>>,
) {
  const sources = vendor?.facts?.[name] ?? []
  const mark = sources.findIndex(each => each.entity)
  const [before, after] = mark < 0 ? [sources, []] : [sources.slice(0, mark), sources.slice(mark + 1)]
  return readings.words(before) ?? entity[name] ?? readings.words(after) ?? useful(readings.words(general[name]))
}

// Two quotes are what an empty setting looks like on some net-snmp agents.
const unquoted = (words: string | undefined) => words?.replace(/^"(.*)"$/s, '$1')

/** Seconds since the host started; the agent's own clock where the host's is not given. */
export function uptimeSeconds(readings: Readings): number | undefined {
  const host = readings.int(system.hostUpTime)
  if (host) return Math.floor(host / 100)
  const agent = readings.int(system.upTime)
  const engine = readings.int(system.engineTime)
  // sysUpTime wraps after 497 days, snmpEngineTime does not.
  if (engine && agent !== undefined && engine > agent / 100) return engine
  return agent === undefined ? engine || undefined : Math.floor(agent / 100)
}

function ownMac(readings: Readings, shape: Shape[]): string | undefined {
  const bridge = readings.bytes(system.bridgeAddress)
  const lldp = readings.int(system.lldpChassisSubtype) === 4 ? readings.bytes(system.lldpChassisId) : undefined
  // As bytes, or as text where an agent writes it out.
  const v2 = readings.bytes(system.lldpV2ChassisId)
  const written = v2 && /^([\da-f]{2}:){5}[\da-f]{2}$/i.exec(v2.toString('latin1'))?.[0].toLowerCase()
  const found = [...[bridge, lldp, v2].map(each => each && mac(each)), written].find(
    each => each && each !== '00:00:00:00:00:00',
  )
  const ethernet = shape.find(each => each.mac && each.type === 'ethernet')
  return found ?? ethernet?.mac ?? shape.find(each => each.mac)?.mac
}

/** Everything a guess at the kind goes by. */
type Evidence = {
  vendor?: Vendor
  objectId: string
  description: string
  services: number
  lldp: string[]
  bridgePorts: number
  sockets: number
  wifi: boolean
  forwards: boolean
  addresses: number
  printer: boolean
}

const printerWords = /\b(printer|laserjet|officejet|deskjet|pagewide|jetdirect|multifunction|mfp)\b/i
/** Networks inside a host: whoever forwards between those and one socket is no gateway. */
const inside = /^(docker|virbr|veth|br-[\da-f]{12}|cni|flannel|cali|lxc|lxd|vnet|tap)/i

// First match wins; a router that is also a many-port bridge is a switch, as its makers call it.
const roleRules: readonly (readonly [DeviceRole, (e: Evidence) => boolean])[] = [
  ['firewall', e => /\b(firewall|utm|opnsense|pfsense)\b/i.test(e.description)],
  ['ap', e => e.lldp.includes('ap') && e.sockets <= 6],
  ['switch', e => e.bridgePorts >= 5 && e.sockets >= 5],
  ['ap', e => e.wifi && e.sockets <= 6],
  ['switch', e => /\bswitch\b/i.test(e.description) && e.sockets >= 3],
  ['switch', e => e.services !== 0 && (e.services & 66) === 2 && e.sockets >= 3],
  ['gateway', e => e.forwards && e.sockets >= 2 && e.addresses >= 2],
]

function roleOf(evidence: Evidence): DeviceRole {
  if (evidence.printer) return 'other'
  const byVendor = evidence.vendor && roleByVendor(evidence.vendor, evidence.objectId, evidence.description)
  return byVendor ?? roleRules.find(([, fits]) => fits(evidence))?.[0] ?? 'other'
}

export function factsOf(input: {
  vendor?: Vendor
  readings: Readings
  mib: Mib
  shape: Shape[]
  poe: boolean
  wifi: boolean
}): Facts {
  const { vendor, readings, mib, shape } = input
  const objectId = readings.value(system.objectId)
  const entity = entityFacts(mib)
  const own = (name: FactName) => fact(name, vendor, readings, entity)
  const wifi = input.wifi || shape.some(each => each.type === 'wifi')
  const model = own('model')
  const kind = roleOf({
    vendor,
    objectId: typeof objectId === 'string' ? objectId : '',
    description: readings.description,
    services: readings.int(system.services) ?? 0,
    lldp: capabilities(readings.bytes(system.lldpCapabilities)),
    bridgePorts: readings.int(system.bridgePorts) ?? bridgePorts(mib).size,
    sockets: sockets(shape).length,
    wifi,
    forwards: readings.int(system.forwarding) === 1,
    addresses: shape.filter(each => each.addresses?.length && each.type !== 'loopback' && !inside.test(each.name))
      .length,
    printer: mib.rows(printers).length > 0 || printerWords.test(readings.description),
  })
  const facts: Facts = { kind, capabilities: [...(input.poe ? ['poe'] : []), ...(wifi ? ['wifi'] : [])] }
  const rest: Partial<Facts> = {
    hostname: readings.text(system.name)?.slice(0, 255),
    vendor: vendor?.name,
    model,
    serial: own('serial'),
    partNumber: own('partNumber') ?? (entity.model && entity.model !== model ? entity.model : undefined),
    firmware: own('firmware'),
    kernel: own('kernel'),
    hardware: own('hardware'),
    boot: own('boot'),
    mac: ownMac(readings, shape),
    uptimeSeconds: uptimeSeconds(readings),
    description: readings.description,
    location: unquoted(readings.text(system.location)),
    contact: unquoted(readings.text(system.contact)),
    sysObjectId: typeof objectId === 'string' ? objectId : undefined,
  }
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined && value !== '') Object.assign(facts, { [name]: value })
  return facts
}

// --- health ------------------------------------------------------------------------------------------------------

const hostCpu: Source[] = [
  { oid: processorLoad, pick: 'average' },
  { oid: ucdNames.idle, idle: true },
]

/** What every device is asked for about its health, beside its maker's own. */
export const generalHealth: Record<string, Source[]> = {
  cpu: hostCpu,
  memory: [ucdNames.total, ucdNames.available, ucdNames.buffer, ucdNames.cached].map(name => ({ oid: name })),
  load: [{ oid: ucdNames.load1 }],
}

function hottest(mib: Mib): number | undefined {
  const celsius = mib
    .rows(sensors)
    .filter(row => row.type === 8)
    .map(row => sensorValue(row) ?? 0)
    .filter(isTemperature)
  return celsius.length > 0 ? Math.max(...celsius) : undefined
}

const tenth = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 10) / 10)

export function healthOf(vendor: Vendor | undefined, readings: Readings, mib: Mib): Health {
  const own = vendor?.health
  const bytes = (sources: Source[] | undefined) => readings.number(sources, 0, petabyte)
  const cpu = readings.number(own?.cpuPercent, 0, 100) ?? readings.number(hostCpu, 0, 100)
  const memory = memoryOf(own, readings, mib)
  const disk = storageOf(mib)
  const health: Health = {}
  const put = (name: keyof Health, value: number | undefined) => {
    if (value !== undefined && Number.isFinite(value)) health[name] = value
  }
  put('cpuPercent', tenth(cpu))
  put('load1', readings.number([{ oid: ucdNames.load1 }], 0, 1e5))
  put('memoryTotalBytes', memory.totalBytes)
  put('memoryUsedBytes', memory.usedBytes)
  if (memory.usedBytes === undefined) put('memoryUsedPercent', tenth(memory.usedPercent))
  put('storageTotalBytes', bytes(own?.storageTotalBytes) ?? disk.storageTotalBytes)
  put('storageUsedBytes', bytes(own?.storageUsedBytes) ?? disk.storageUsedBytes)
  put('temperatureCelsius', tenth(readings.number(own?.temperatureCelsius, 1, 150) ?? hottest(mib)))
  return health
}
