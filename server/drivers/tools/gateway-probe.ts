import { isIP } from 'node:net'
import type { Echoes, Figures } from '@/model/troubleshooting/request'
import { isDeviceError } from '../driver'
import { privateAddress } from '../wan'
import { here } from './here'
import { runWith } from './run-tool'
import { programsOf, type Tool } from './tool'

// What a gateway finds out about one of its clients, and about its way to the internet, by its own programs.

export type GatewayProbe = {
  /** Whether anything there serves DHCP, or DNS to the LAN. Absent: it could not be read. */
  dhcpServer?: boolean
  dnsServer?: boolean
  dns?: (Omit<Extract<Figures, { tool: 'dns' }>, 'tool'> & { byManager?: true }) | { missing: string }
  /** Pings to the client, and who answers for its address; null: nobody. */
  echoes?: Echoes
  neighbour?: { mac: string } | null
  /** Where packets to the internet go; null: nowhere. `via` is absent of a line without a next hop. */
  route?: { via?: string; interface: string } | null
  /** Pings to the next hop, whether it answers for its address, and pings to a host beyond it. */
  hop?: Echoes
  hopThere?: boolean
  beyond?: Echoes & { address: string }
}

export type ProbeInput = {
  /** The client's, where it is one of the gateway's networks. */
  address?: string
  /** The gateway's own there: clients ask it for names. */
  server?: string
  name: string
  /** Where the manager reaches the gateway: it asks there itself where the gateway has no program to ask by. */
  reachedAt?: string
}

const clientPings = 10
const hopPings = 5
/** Documentation only (RFC 5737): the kernel is asked for the way there, nothing is sent. */
const faraway = '192.0.2.1'

/** The ports at which something waits for UDP, loopback left out; lines of /proc/net/udp and udp6. */
export function udpListeners(text: string): Set<number> {
  const found = new Set<number>()
  for (const line of text.split('\n')) {
    const [, address = '', port = ''] = /^\s*\d+:\s+([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})\s/i.exec(line) ?? []
    const isLoopback = /7F$/i.test(address) && address.length === 8
    if (address && !isLoopback) found.add(Number.parseInt(port, 16))
  }
  return found
}

/** What `ip route get` says; null: there is no way. */
export function routeOf(text: string): NonNullable<GatewayProbe['route']> | null {
  const [, via, name] = /^\S+ (?:via (?:inet6? )?(\S+) )?dev (\S+)/m.exec(text) ?? []
  return name === undefined ? null : { interface: name, ...(via !== undefined && { via }) }
}

/** A part that fails is left out: the others stand. What ends all of it is no part's. */
async function part<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!isDeviceError(error) || ['cancelled', 'closed'].includes((error as { reason: string }).reason)) throw error
    return undefined
  }
}

async function listeners({ vantage, signal }: Tool) {
  const { text } = await vantage.run(['cat', '/proc/net/udp', '/proc/net/udp6'], { signal, seconds: 15 })
  if (!text.includes('local_address')) return {}
  const found = udpListeners(text)
  return { dhcpServer: found.has(67), dnsServer: found.has(53) }
}

const ping = async (tool: Tool, host: string, count: number): Promise<Echoes> => {
  const { tool: _, ...echoes } = await runWith<'ping'>(tool, { tool: 'ping', host, count, size: 56 })
  return echoes
}

/** Who answers for an address of the same segment, after it was asked for. */
async function neighbourAt(tool: Tool, address: string): Promise<GatewayProbe['neighbour']> {
  const { neighbours } = await runWith<'neighbours'>(tool, { tool: 'neighbours' })
  const found = neighbours.find(one => one.address === address && one.mac && one.state !== 'FAILED')
  return found?.mac ? { mac: found.mac.toLowerCase() } : null
}

/** Silence may be a firewall that stops the manager alone: it tells nothing. */
async function askedByManager({ name, reachedAt = '' }: ProbeInput, signal: AbortSignal) {
  if (isIP(reachedAt) === 0) return undefined
  const { tool: _, ...seen } = (await here.resolve?.({ name, type: 'A', server: reachedAt }, signal)) ?? { tool: 'dns' }
  return 'state' in seen && seen.state !== 'silent' ? { ...seen, byManager: true as const } : undefined
}

async function names(tool: Tool, input: ProbeInput): Promise<GatewayProbe['dns']> {
  const { name, server } = input
  try {
    const request = { tool: 'dns', name, type: 'A', ...(server && { server }) } as const
    const { tool: _, ...seen } = await runWith<'dns'>(tool, request)
    return seen
  } catch (error) {
    const missing = /^missing: (.+)$/.exec((error as { detail?: string }).detail ?? '')?.[1]
    if (missing === undefined) throw error
    return (await askedByManager(input, tool.signal)) ?? { missing }
  }
}

async function toClient(tool: Tool, address: string | undefined): Promise<Pick<GatewayProbe, 'echoes' | 'neighbour'>> {
  if (address === undefined) return {}
  const echoes = await part(ping(tool, address, clientPings))
  const neighbour = await part(neighbourAt(tool, address))
  return { ...(echoes && { echoes }), ...(neighbour !== undefined && { neighbour }) }
}

async function toHop(tool: Tool): Promise<Pick<GatewayProbe, 'route' | 'hop' | 'hopThere'>> {
  if (!tool.programs.has.has('ip')) return {}
  const { text } = await tool.vantage.run(['ip', 'route', 'get', faraway], { signal: tool.signal, seconds: 15 })
  const route = routeOf(text)
  const via = route?.via
  if (via === undefined) return { route }
  const hop = await part(ping(tool, via, hopPings))
  const neighbour = await part(neighbourAt(tool, via))
  return { route, ...(hop && { hop }), ...(neighbour !== undefined && { hopThere: neighbour !== null }) }
}

/** A host of the internet that has a name: the way there is measured beyond the next hop. */
async function toBeyond(tool: Tool, dns: GatewayProbe['dns'], via: string | undefined) {
  const address = dns && 'answers' in dns ? dns.answers.find(one => /^[\d.]+$/.test(one)) : undefined
  if (address === undefined || address === via || privateAddress(address)) return undefined
  const echoes = await part(ping(tool, address, hopPings))
  return echoes && { ...echoes, address }
}

/** All of it, at the same time. Rejects with a DeviceError where it is canceled or the connection ends. */
export async function probeGateway(tool: Omit<Tool, 'programs'>, input: ProbeInput): Promise<GatewayProbe> {
  const ready: Tool = { ...tool, line: () => undefined, figures: () => undefined, programs: await programsOf(tool) }
  const dnsAsked = part(names(ready, input))
  const hopAsked = part(toHop(ready))
  const beyondAsked = Promise.all([dnsAsked, hopAsked]).then(([dns, hop]) => toBeyond(ready, dns, hop?.route?.via))
  const [served, client, dns, hop, beyond] = await Promise.all([
    ...([part(listeners(ready)), toClient(ready, input.address), dnsAsked, hopAsked, beyondAsked] as const),
  ])
  return { ...served, ...client, ...hop, ...(dns && { dns }), ...(beyond && { beyond }) }
}
