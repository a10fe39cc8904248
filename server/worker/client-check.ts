import { contains4, ipv4Number, segment4 } from '@/model/addresses'
import { diagnosisLimits, type Figures } from '@/model/troubleshooting/request'
import { DeviceError, isDeviceError } from '@/server/drivers/driver'
import type { Interface, Observation } from '@/server/drivers/observation'
import { type GatewayProbe, probeGateway } from '@/server/drivers/tools/gateway-probe'
import { deviceNode } from '@/server/topology/graph'
import { type ClientSigns, judgeAtOnce, judgeClient, type PortSign } from './client-judge'
import type { Client } from './clients-merge'
import { fromDevice } from './diagnose'
import { within } from './limits'
import { type PolledDevice, readingOf } from './polled-device'
import type { ClientCheckInput, DiagnosisProgress } from './protocol'
import { wiringOf } from './wiring'
import type { WorkerState } from './worker-state'

// Measures what can explain why a client is slow or offline: what its devices tell now, twice, and its gateway's probe.

/** An interface between a client and its gateway: `key`, or the name that it goes by. */
type Place = { entry: PolledDevice; interface: string }

const byId = ({ poller }: WorkerState, id: number | undefined) =>
  id === undefined ? undefined : poller.entries.get(id)
const entriesOf = ({ poller }: WorkerState, network: number) =>
  [...poller.entries.values()].filter(({ device }) => device.network === network)

const interfaceAt = (seen: Observation | undefined, wanted: string): Interface | undefined =>
  seen?.interfaces?.find(one => one.key === wanted) ?? seen?.interfaces?.find(one => one.name === wanted)

/** The client's own port, then both ends of each link on the way up to the gateway. */
async function waysUp(worker: WorkerState, network: number, client: Client | undefined): Promise<Place[]> {
  const first = byId(worker, client?.device)
  if (!client || !first) return []
  const found: Place[] = client.port && !client.wifi ? [{ entry: first, interface: client.port }] : []
  const { links, uplinks } = await wiringOf(worker, network)
  const entries = new Map(entriesOf(worker, network).map(entry => [deviceNode(entry.device.id), entry]))
  let node = deviceNode(first.device.id)
  for (let steps = 0; steps < diagnosisLimits.hops; steps++) {
    const link = links[uplinks[node] ?? -1]
    if (!link) break
    for (const end of [link.lower, link.upper]) {
      const entry = entries.get(end.node)
      const name = end.interface ?? end.port
      if (entry && name !== undefined) found.push({ entry, interface: name })
    }
    node = link.upper.node
  }
  return found
}

/** Reads these devices anew; one that does not answer keeps what is known of it. */
async function readAll({ poller }: WorkerState, entries: Iterable<PolledDevice>): Promise<void> {
  const once = [...new Set(entries)]
  await Promise.all(
    once.map(entry =>
      poller.observeNow(entry.device.id).catch(error => {
        if (!isDeviceError(error)) throw error
      }),
    ),
  )
}

const portsOf = (places: readonly Place[]) =>
  places.map(({ entry, interface: name }) => interfaceAt(readingOf(entry), name))

function portSigns(places: readonly Place[], before: readonly (Interface | undefined)[]): PortSign[] {
  return portsOf(places).map((after, at) => ({
    device: places[at]?.entry.device.name ?? '',
    port: after?.name ?? places[at]?.interface ?? '',
    ...(before[at]?.counters && { before: before[at].counters }),
    ...(after?.counters && { after: after.counters }),
    ...(after?.duplex && { duplex: after.duplex }),
  }))
}

const isGateway = ({ device }: PolledDevice) => device.kind === 'gateway' || device.kind === 'firewall'

/** The gateway's own address in the client's segment. */
function serverFor(seen: Observation | undefined, address: string | undefined): string | undefined {
  const number = address === undefined ? undefined : ipv4Number(address)
  if (number === undefined) return undefined
  for (const cidr of (seen?.interfaces ?? []).flatMap(one => one.addresses ?? [])) {
    const segment = segment4(cidr)
    if (segment && segment.prefix < 31 && contains4(segment, number)) return cidr.split('/')[0]
  }
  return undefined
}

/** The gateway whose segment it is in, else the one that leased to it, else the first that is online. */
function gatewayFor(worker: WorkerState, network: number, mac: string, address?: string): PolledDevice | undefined {
  const all = entriesOf(worker, network).filter(isGateway)
  return (
    all.find(entry => serverFor(readingOf(entry), address) !== undefined) ??
    all.find(entry => readingOf(entry)?.leases?.some(one => one.mac === mac)) ??
    all.find(entry => entry.status === 1) ??
    all[0]
  )
}

function gatewaySigns(entry: PolledDevice, mac: string, address: string | undefined, probe?: GatewayProbe) {
  const seen = readingOf(entry)
  const leases = seen?.leases
  // One that ran out is none.
  const lease = leases?.find(one => one.mac === mac && (one.expiresAt === undefined || one.expiresAt > Date.now()))
  return {
    name: entry.device.name,
    online: entry.status === 1,
    ownSubnet: serverFor(seen, address) !== undefined,
    ...(leases && { leases: lease ? { lease } : {} }),
    wans: seen?.wans ?? [],
    ...(probe && { probe }),
  }
}

function clientSigns(
  worker: WorkerState,
  input: ClientCheckInput,
  client: Client | undefined,
): Omit<ClientSigns, 'ports'> {
  const { last, blocked } = input
  const entry = byId(worker, client?.device ?? last?.device)
  const seen = entry && readingOf(entry)
  const station = seen?.stations?.find(one => one.mac === input.mac)
  const bss = seen?.bss?.find(one => one.key === station?.bss)
  const radio = seen?.radios?.find(one => one.key === bss?.radio)
  const place = client ? (client.ssid ?? client.port) : last?.place
  const address = client?.address
  return {
    ...{ online: client !== undefined, blocked, place: place ?? '', at: client?.since ?? last?.at ?? 0 },
    wifi: client?.wifi ?? false,
    ...(entry && { device: { name: entry.device.name, online: entry.status === 1 } }),
    ...(client?.signalDbm !== undefined && { signalDbm: client.signalDbm }),
    ...(client?.retryPercent !== undefined && { retryPercent: client.retryPercent }),
    ...(radio && { radio }),
    ...(address !== undefined && { address }),
  }
}

/** What the gateway finds out by its programs; undefined where it runs none, or does not answer now. */
async function probed(
  worker: WorkerState,
  entry: PolledDevice | undefined,
  { name, address }: { name: string; address?: string },
  signal: AbortSignal,
): Promise<GatewayProbe | undefined> {
  if (!entry?.driver.actions.vantage || entry.status !== 1) return undefined
  const server = serverFor(readingOf(entry), address)
  const reachedAt = entry.device.target.address
  const input = { name, reachedAt, ...(server !== undefined && { server, ...(address !== undefined && { address }) }) }
  try {
    return await fromDevice(worker, entry.device.id, signal, vantage =>
      probeGateway({ vantage, signal, line: () => undefined, figures: () => undefined }, input),
    )
  } catch (error) {
    if (signal.aborted || !isDeviceError(error)) throw error
    return undefined
  }
}

/** Why a client is slow or offline. Rejects with a DeviceError: `cancelled`, `timeout`. */
export function checkClient(
  worker: WorkerState,
  input: ClientCheckInput,
  stop: AbortSignal,
  tell: (progress: DiagnosisProgress) => void,
): Promise<Figures> {
  const { network, mac, name, label } = input
  const find = () => worker.clients.list({ network, macs: [mac], page: 1, pageSize: 1 }).result[0]
  return within(diagnosisLimits.seconds * 1000, async ended => {
    const signal = AbortSignal.any([ended, stop])
    const go = () => {
      if (signal.aborted) throw new DeviceError('cancelled')
    }
    const known = find()
    const near = [byId(worker, known?.device ?? input.last?.device), gatewayFor(worker, network, mac, known?.address)]
    const places = await waysUp(worker, network, known)
    const before = portsOf(places)
    await readAll(worker, [...near.flatMap(entry => entry ?? []), ...places.map(({ entry }) => entry)])
    go()
    const client = find()
    const signs = clientSigns(worker, input, client)
    tell({ figures: { tool: 'client', client: label, checks: judgeAtOnce({ ...signs, ports: [] }) } })
    const gateway = gatewayFor(worker, network, mac, client?.address)
    const { address } = signs
    const probe = await probed(worker, gateway, { name, ...(address && { address }) }, signal)
    await readAll(
      worker,
      places.map(({ entry }) => entry),
    )
    go()
    const own = gateway && gatewaySigns(gateway, mac, address, probe)
    const all: ClientSigns = { ...signs, ports: portSigns(places, before), ...(own && { gateway: own }) }
    return { tool: 'client', client: label, checks: judgeClient(all, { mac, name }) }
  })
}
