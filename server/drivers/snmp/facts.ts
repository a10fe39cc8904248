import type { FactName, Source, Vendor } from '../models/vendor'
import type { DeviceKind, Facts, Health } from '../observation'
import type { Shape } from './interfaces'
import { entities, processorLoad, sensors, storages, system } from './mibs'
import { capabilities } from './neighbours'
import { sockets } from './panel'
import type { Readings } from './readings'
import { type Mib, mac, type RowsOf } from './table'

// What the device is, and how it is: the vendor's row, ENTITY-MIB, HOST-RESOURCES-MIB, UCD-SNMP-MIB. Pure.

type Entity = RowsOf<typeof entities>[number]

const chassisClass = 3

function chassisOf(mib: Mib): Entity | undefined {
  const rows = mib.rows(entities).filter(row => row.class === chassisClass)
  return rows.find(row => row.serial || row.model) ?? rows[0]
}

const useful = (words: string | undefined) =>
  words && /[^\s.0-]/.test(words) && !/^n\/?a$/i.test(words) ? words : undefined

function entityFacts(mib: Mib): Partial<Record<FactName, string>> {
  const chassis = chassisOf(mib)
  const modules = mib.rows(entities).filter(row => row.class === chassisClass || row.class === 9)
  const first = (of: (row: Entity) => string | undefined) =>
    useful(chassis && of(chassis)) ?? modules.map(of).map(useful).find(Boolean)
  return {
    model: useful(chassis?.model),
    serial: useful(chassis?.serial),
    firmware: first(row => row.software),
    hardware: useful(chassis?.hardware),
    boot: first(row => row.firmware),
  }
}

const general: Partial<Record<FactName, Source[]>> = {
  firmware: [{ oid: system.probeSoftware }],
  hardware: [{ oid: system.probeHardware }],
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
  return readings.words(before) ?? entity[name] ?? readings.words(after) ?? readings.words(general[name])
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
  return agent === undefined ? undefined : Math.floor(agent / 100)
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
}

// First match wins; a router that is also a many-port bridge is a switch, as its makers call it.
const kindRules: readonly (readonly [DeviceKind, (e: Evidence) => boolean])[] = [
  ['firewall', e => /\b(firewall|utm|opnsense|pfsense)\b/i.test(e.description)],
  ['ap', e => e.lldp.includes('ap') && e.sockets <= 6],
  ['switch', e => e.bridgePorts >= 5 && e.sockets >= 5],
  ['ap', e => e.wifi && e.sockets <= 6],
  ['switch', e => /\bswitch\b/i.test(e.description) && e.sockets >= 3],
  ['switch', e => e.services !== 0 && (e.services & 66) === 2 && e.sockets >= 3],
  ['gateway', e => e.forwards && e.sockets >= 2 && e.addresses >= 2],
]

function kindOf(evidence: Evidence): DeviceKind {
  const own = `${evidence.objectId.replace('1.3.6.1.4.1.', '')}.`
  const byVendor = evidence.vendor?.kinds?.find(
    rule =>
      (!rule.objectId || own.startsWith(`${rule.objectId}.`)) &&
      (!rule.description || rule.description.test(evidence.description)),
  )
  return byVendor?.kind ?? kindRules.find(([, fits]) => fits(evidence))?.[0] ?? 'other'
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
  const kind = kindOf({
    vendor,
    objectId: typeof objectId === 'string' ? objectId : '',
    description: readings.description,
    services: readings.int(system.services) ?? 0,
    lldp: capabilities(readings.bytes(system.lldpCapabilities)),
    bridgePorts: readings.int(system.bridgePorts) ?? 0,
    sockets: sockets(shape).length,
    wifi,
    forwards: readings.int(system.forwarding) === 1,
    addresses: shape.filter(each => each.addresses?.length && each.type !== 'loopback').length,
  })
  const facts: Facts = { kind, capabilities: [...(input.poe ? ['poe'] : []), ...(wifi ? ['wifi'] : [])] }
  const rest: Partial<Facts> = {
    hostname: readings.text(system.name)?.slice(0, 255),
    vendor: vendor?.name,
    model,
    serial: own('serial'),
    partNumber: own('partNumber') ?? (entity.model && entity.model !== model ? entity.model : undefined),
    firmware: own('firmware'),
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

const storageType = { ram: '1.3.6.1.2.1.25.2.1.2', disk: '1.3.6.1.2.1.25.2.1.4', other: '1.3.6.1.2.1.25.2.1.1' }
const ucd = '1.3.6.1.4.1.2021'
/** UCD-SNMP-MIB; memory in kibibytes. */
const ucdNames = {
  total: `${ucd}.4.5.0`,
  available: `${ucd}.4.6.0`,
  buffer: `${ucd}.4.14.0`,
  cached: `${ucd}.4.15.0`,
  idle: `${ucd}.11.11.0`,
  load1: `${ucd}.10.1.3.1`,
} as const

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

type Storage = RowsOf<typeof storages>[number]
const bytesOf = (row: Storage | undefined, field: 'size' | 'used') => {
  const value = row?.[field]
  if (row?.unit === undefined || value === undefined) return undefined
  // The columns are signed 32-bit: net-snmp lets large ones turn negative.
  return (value < 0 ? value + 2 ** 32 : value) * row.unit
}

function memoryOfHost(mib: Mib, readings: Readings): Pick<Health, 'memoryTotalBytes' | 'memoryUsedBytes'> {
  const total = readings.int(ucdNames.total)
  const available = readings.int(ucdNames.available)
  if (total && available !== undefined) {
    const reclaimable = (readings.int(ucdNames.buffer) ?? 0) + (readings.int(ucdNames.cached) ?? 0)
    return { memoryTotalBytes: total * 1024, memoryUsedBytes: Math.max(0, total - available - reclaimable) * 1024 }
  }
  const rows = mib.rows(storages)
  const ram =
    rows.find(row => row.type === storageType.ram) ??
    rows.find(row => /^(physical memory|ram|main memory)$/i.test(row.description ?? ''))
  const size = bytesOf(ram, 'size')
  const used = bytesOf(ram, 'used')
  if (!size || used === undefined) return {}
  const reclaimable = rows
    .filter(row => row.type === storageType.other && /^(memory buffers|cached memory)$/i.test(row.description ?? ''))
    .reduce((sum, row) => sum + (bytesOf(row, 'used') ?? 0), 0)
  return { memoryTotalBytes: size, memoryUsedBytes: Math.max(0, used - (reclaimable < used ? reclaimable : 0)) }
}

function storageOf(mib: Mib): Pick<Health, 'storageTotalBytes' | 'storageUsedBytes'> {
  const disks = mib.rows(storages).filter(row => row.type === storageType.disk && (row.size ?? 0) > 0)
  const largest = [...disks].sort((a, b) => (bytesOf(b, 'size') ?? 0) - (bytesOf(a, 'size') ?? 0))[0]
  const disk = disks.find(row => row.description === '/') ?? largest
  const total = bytesOf(disk, 'size')
  const used = bytesOf(disk, 'used')
  return total && used !== undefined ? { storageTotalBytes: total, storageUsedBytes: used } : {}
}

// EntitySensorDataScale counts thousands from units(9).
function hottest(mib: Mib): number | undefined {
  const celsius = mib
    .rows(sensors)
    .filter(row => row.type === 8 && (row.status ?? 1) === 1 && row.value !== undefined)
    .map(row => (row.value ?? 0) * 10 ** (3 * ((row.scale ?? 9) - 9) - (row.precision ?? 0)))
    .filter(each => each > 0 && each <= 150)
  return celsius.length > 0 ? Math.max(...celsius) : undefined
}

const tenth = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 10) / 10)

const petabyte = 2 ** 50

export function healthOf(vendor: Vendor | undefined, readings: Readings, mib: Mib): Health {
  const own = vendor?.health
  const bytes = (sources: Source[] | undefined) => readings.number(sources, 0, petabyte)
  const cpu = readings.number(own?.cpuPercent, 0, 100) ?? readings.number(hostCpu, 0, 100)
  const host = memoryOfHost(mib, readings)
  const total = bytes(own?.memoryTotalBytes) || undefined
  const free = bytes(own?.memoryFreeBytes)
  const used = bytes(own?.memoryUsedBytes)
  const percent = readings.number(own?.memoryUsedPercent, 0, 100)
  const memoryTotal = total ?? (used !== undefined && free !== undefined ? used + free : undefined)
  const memoryUsed =
    used ??
    (memoryTotal !== undefined && free !== undefined && free <= memoryTotal ? memoryTotal - free : undefined) ??
    (memoryTotal !== undefined && percent !== undefined ? Math.round((memoryTotal * percent) / 100) : undefined)
  const disk = storageOf(mib)
  const health: Health = {}
  const put = (name: keyof Health, value: number | undefined) => {
    if (value !== undefined && Number.isFinite(value)) health[name] = value
  }
  put('cpuPercent', tenth(cpu))
  put('load1', readings.number([{ oid: ucdNames.load1 }], 0, 1e5))
  put('memoryTotalBytes', memoryTotal ?? host.memoryTotalBytes)
  put('memoryUsedBytes', memoryTotal !== undefined ? memoryUsed : host.memoryUsedBytes)
  put('storageTotalBytes', bytes(own?.storageTotalBytes) ?? disk.storageTotalBytes)
  put('storageUsedBytes', bytes(own?.storageUsedBytes) ?? disk.storageUsedBytes)
  put('temperatureCelsius', tenth(readings.number(own?.temperatureCelsius, 1, 150) ?? hottest(mib)))
  return health
}
