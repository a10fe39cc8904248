import { isIP } from 'node:net'
import type { Health } from '../hardware'
import type { Host, Lease, LldpNeighbour } from '../observation'
import { clean, isRecord, json, lines, list, mac, number, present, record } from './text'

const maxHosts = 20_000

/** A full reading and a poll, in which whoever is there has answered the question that the reading asks. */
const provenSeconds = 420
/** Of `used A/B/C`, iproute2 with `-s`: seconds since it was last proved. Busybox writes three zeros whatever it is. */
const provenOf = (words: string | undefined) => number(/^\d+\/(\d+)\//.exec(words ?? '')?.[1], 1)

/**
 * `ip neigh`, iproute2 or busybox: `ADDRESS dev IF lladdr MAC … STATE`. Entries without a MAC are not hosts. STALE is for
 * ever where the table is small: who was proved to be there long ago may have left.
 */
export function parseNeighbours(text: string | undefined): Host[] {
  const hosts: Host[] = []
  for (const line of lines(text).slice(0, maxHosts)) {
    const words = line.trim().split(/\s+/)
    const after = (word: string) => (words.includes(word) ? words[words.indexOf(word) + 1] : undefined)
    const address = words[0] ?? ''
    const hardware = mac(after('lladdr'))
    if (!hardware || isIP(address) === 0 || words.at(-1) === 'FAILED') continue
    const isOld = words.includes('STALE') && (provenOf(after('used')) ?? Number.POSITIVE_INFINITY) > provenSeconds
    const stale = isOld || undefined
    hosts.push(present({ mac: hardware, address, port: clean(after('dev'), 64), source: 'arp' as const, stale }))
  }
  return hosts
}

/** /proc/net/arp, where there is no `ip`. */
export function parseArp(text: string | undefined): Host[] {
  return lines(text)
    .slice(1, maxHosts)
    .flatMap(line => {
      const words = line.trim().split(/\s+/)
      const hardware = mac(words[3])
      const address = words[0] ?? ''
      if (!hardware || isIP(address) === 0) return []
      return [present({ mac: hardware, address, port: clean(words[5], 64), source: 'arp' as const })]
    })
}

/** A name that a DHCP client gave: letters, digits, dots, dashes and underscores as RFC 952 has them, else cleaned. */
const leaseName = (name: string | undefined) => (name && name !== '*' ? clean(name, 63) : undefined)

/** dnsmasq's lease file: `EXPIRY MAC ADDRESS NAME CLIENTID`; expiry in Unix seconds, 0 for never. DHCPv6 lines have no MAC. */
export function parseLeases(text: string | undefined): Lease[] {
  const leases = new Map<string, Lease>()
  for (const line of lines(text).slice(0, maxHosts)) {
    const [expiry, hardware, address = '', name] = line.trim().split(/\s+/)
    // Non-Ethernet leases are written TYPE-MAC.
    const owner = mac(hardware?.replace(/^[0-9a-f]{2}-(?=.{17}$)/i, ''))
    if (!owner || isIP(address) === 0) continue
    const seconds = number(expiry, 1)
    leases.set(
      address,
      present({ mac: owner, address, hostname: leaseName(name), expiresAt: seconds && seconds * 1000 }),
    )
  }
  return [...leases.values()]
}

const values = (value: unknown): string[] =>
  list(value, 32).flatMap(entry => {
    const text = isRecord(entry) ? clean(entry.value) : clean(entry)
    return text ? [text] : []
  })

/** `lldpcli -f json0 show neighbors`: every level is a list. Undefined when it is not that. */
export function parseLldp(text: string | undefined): LldpNeighbour[] | undefined {
  const root = json(text)
  if (!isRecord(root)) return undefined
  const found: LldpNeighbour[] = []
  for (const entry of list(root.lldp, 16).flatMap(part => list(record(part).interface, 1_000))) {
    const neighbour = record(entry)
    const localPort = clean(neighbour.name, 64)
    const chassis = record(list(neighbour.chassis)[0])
    const port = record(list(neighbour.port)[0])
    if (!localPort) continue
    const capabilities = list(chassis.capability, 32)
      .map(record)
      .filter(capability => capability.enabled === true)
      .flatMap(capability => clean(capability.type, 32)?.toLowerCase() ?? [])
    found.push(
      present({
        localPort,
        chassisId: values(chassis.id)[0],
        portId: values(port.id)[0],
        portDescription: values(port.descr)[0],
        systemName: values(chassis.name)[0],
        systemDescription: values(chassis.descr)[0],
        managementAddress: values(chassis['mgmt-ip']).find(address => isIP(address) !== 0),
        capabilities,
      }),
    )
  }
  return found
}

export type CpuSample = { busy: number; total: number }

/** First line of /proc/stat, in ticks: `cpu user nice system idle iowait irq softirq steal …`. */
export function parseCpu(text: string | undefined): CpuSample | undefined {
  const ticks = /^cpu\s+([\d ]+)/m
    .exec(text ?? '')?.[1]
    ?.trim()
    .split(/\s+/)
    .map(Number)
  if (!ticks || ticks.length < 4) return undefined
  // guest and guest_nice (9th, 10th) are already counted in user and nice.
  const total = ticks.slice(0, 8).reduce((sum, tick) => sum + tick, 0)
  return { total, busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0) }
}

/** Load of the processors between two samples; absent when no tick passed or the counters restarted. */
export function cpuPercent(before: CpuSample | undefined, after: CpuSample | undefined): number | undefined {
  if (!before || !after || after.total <= before.total || after.busy < before.busy) return undefined
  return Math.round(((after.busy - before.busy) / (after.total - before.total)) * 1000) / 10
}

/** /proc/meminfo (kB), /proc/loadavg and `df -kP PATH`. */
export function parseHealth(meminfo?: string, loadavg?: string, df?: string): Health {
  const kilobytes = (name: string) => number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(meminfo ?? '')?.[1])
  const total = kilobytes('MemTotal')
  const cached = kilobytes('Cached')
  const free = kilobytes('MemFree')
  const available =
    kilobytes('MemAvailable') ?? (free !== undefined && cached !== undefined ? free + cached : undefined)
  const disk = lines(df).at(-1)?.trim().split(/\s+/)
  const blocks = number(disk?.at(-5))
  const used = number(disk?.at(-4))
  const bytes = (value: number | undefined) => (value === undefined ? undefined : value * 1024)
  return present({
    load1: number(loadavg?.trim().split(/\s+/)[0]),
    memoryTotalBytes: bytes(total),
    memoryUsedBytes: total !== undefined && available !== undefined ? bytes(total - available) : undefined,
    storageTotalBytes: bytes(blocks),
    storageUsedBytes: bytes(used),
  })
}

/** Temperatures in thousandths of a degree, one a line: the hottest believable one. */
export function hottest(text: string | undefined): number | undefined {
  const degrees = lines(text).flatMap(line => number(line, -50_000, 150_000) ?? [])
  return degrees.length > 0 ? Math.round(Math.max(...degrees) / 100) / 10 : undefined
}

const plainQueues = new Set(['noqueue', 'noop', 'pfifo', 'pfifo_fast', 'fq', 'fq_codel', 'mq', 'ingress', 'clsact'])

/** `tc qdisc show`: what stands at an interface's root that neither the system nor this manager (handles 4c57, 4c58) puts there. */
export const unmanagedQueues = (text: string | undefined): Map<string, string> =>
  new Map(
    lines(text).flatMap(line => {
      const [, kind = '', handle, name = ''] = /^qdisc (\S+) (\S+): dev (\S+) root\b/.exec(line) ?? []
      return name === '' || plainQueues.has(kind) || handle === '4c57' || handle === '4c58'
        ? []
        : [[name, kind] as [string, string]]
    }),
  )
