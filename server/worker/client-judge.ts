import { type Check, checkBounds } from '@/model/troubleshooting/client-check'
import type { Echoes } from '@/model/troubleshooting/request'
import type { Counters, Interface, Lease, Radio, WanReading } from '@/server/drivers/observation'
import type { GatewayProbe } from '@/server/drivers/tools/gateway-probe'

// Why a client is slow or offline, by what was measured. Pure; what nothing told stays unknown.

/** A port between the client and its gateway, twice: what its counters did in between. */
export type PortSign = Pick<Interface, 'duplex'> & {
  device: string
  port: string
  before?: Counters
  after?: Counters
}

export type ClientSigns = {
  online: boolean
  blocked: boolean
  /** What it is connected to, or was last; `at`: since when, or until when, unix ms. */
  place: string
  at: number
  /** The device there, and whether it is online; absent where it is not known. */
  device?: { name: string; online: boolean }
  wifi: boolean
  signalDbm?: number
  retryPercent?: number
  radio?: Pick<Radio, 'channel' | 'utilizationPercent'>
  ports: readonly PortSign[]
  address?: string
  gateway?: GatewaySigns
}
export type GatewaySigns = {
  name: string
  online: boolean
  /** The client's address lies in one of its networks. */
  ownSubnet: boolean
  /** Absent: it tells no leases. `lease`: the client's, where it has one. */
  leases?: { lease?: Lease }
  wans: readonly WanReading[]
  /** Absent: no programs can be run there, or it does not answer. */
  probe?: GatewayProbe
}

type Reason<W extends Check['what']> = Extract<Check, { what: W }>['reason']
const check = <W extends Check['what']>(
  what: W,
  reason: Reason<W>,
  values: Record<string, string | number | undefined> = {},
  from?: string,
): Check => {
  const told = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  return { what, reason, values: told, ...(from !== undefined && { from }) } as Check
}

/** Below `fine` it is fine, from `poor` on it is poor. */
const grade = <F, A, P>(value: number, { fine, poor }: { fine: number; poor: number }, names: readonly [F, A, P]) =>
  value <= fine ? names[0] : value >= poor ? names[2] : names[1]

const lossOf = ({ sent, received }: Echoes) => Math.round(((sent - received) / sent) * 100)

function connection({ online, blocked, place, at, device }: ClientSigns): Check {
  if (blocked) return check('connection', 'blocked')
  if (online) return check('connection', 'connected', { place, at }, device?.name)
  if (device?.online === false) return check('connection', 'deviceAway', { device: device.name, at })
  return check('connection', 'gone', { place, at }, device?.name)
}

/** What only a client on the air has; the reason why it has none, else. */
const notOnAir = ({ online, wifi }: ClientSigns) => (online ? (wifi ? undefined : 'wired') : 'away')

function signal(signs: ClientSigns): Check {
  const { signalDbm, device } = signs
  const none = notOnAir(signs)
  if (none) return check('signal', none)
  if (signalDbm === undefined) return check('signal', 'untold')
  const { fine, poor } = checkBounds.signalDbm
  // Of signal more is better.
  const reason = grade(-signalDbm, { fine: -fine, poor: -poor }, ['strong', 'fair', 'weak'] as const)
  return check('signal', reason, { dbm: signalDbm, bound: fine }, device?.name)
}

function retries(signs: ClientSigns): Check {
  const { retryPercent, device } = signs
  const none = notOnAir(signs)
  if (none) return check('retries', none)
  if (retryPercent === undefined) return check('retries', 'untold')
  const reason = grade(retryPercent, checkBounds.retryPercent, ['few', 'fair', 'many'] as const)
  return check('retries', reason, { percent: retryPercent, bound: checkBounds.retryPercent.fine }, device?.name)
}

function channel(signs: ClientSigns): Check {
  const { radio, device } = signs
  const none = notOnAir(signs)
  if (none) return check('channel', none)
  const percent = radio?.utilizationPercent
  if (percent === undefined) return check('channel', 'untold')
  const reason = grade(percent, checkBounds.channelPercent, ['free', 'fair', 'busy'] as const)
  const values = { percent, channel: radio?.channel ?? '?', bound: checkBounds.channelPercent.fine }
  return check('channel', reason, values, device?.name)
}

type Errors = { errors: number; frames: number }
const sum = (...parts: (number | undefined)[]) => parts.reduce<number>((all, one) => all + (one ?? 0), 0)
const errorsIn = ({ inErrors, outErrors }: Counters) => sum(inErrors, outErrors)
const framesIn = ({ inPackets, outPackets }: Counters) => sum(inPackets, outPackets)

/** What came between two readings of a port; undefined where it does not tell, or its counters began anew. */
function errorsOf({ before, after }: PortSign): Errors | undefined {
  if (!before || !after || (after.inErrors ?? after.outErrors) === undefined) return undefined
  const [errors, frames] = [errorsIn(after) - errorsIn(before), framesIn(after) - framesIn(before)]
  return errors < 0 || frames < 0 ? undefined : { errors, frames: frames + errors }
}

function portErrors({ online, ports }: ClientSigns): Check {
  if (!online) return check('portErrors', 'away')
  const told = ports.flatMap(port => {
    const seen = errorsOf(port)
    return seen ? [{ ...port, ...seen, percent: seen.errors === 0 ? 0 : (seen.errors / seen.frames) * 100 }] : []
  })
  const worst = told.toSorted((a, b) => b.percent - a.percent)[0]
  if (!worst) return check('portErrors', 'untold')
  const { device, port, errors, frames, percent } = worst
  const reason = grade(percent, checkBounds.errorPercent, ['clean', 'few', 'errors'] as const)
  if (reason !== 'clean') return check('portErrors', reason, { port, errors, frames }, device)
  return check('portErrors', 'clean', { ports: told.length, frames: sum(...told.map(one => one.frames)) })
}

function duplex({ online, ports }: ClientSigns): Check {
  if (!online) return check('duplex', 'away')
  const half = ports.find(one => one.duplex === 'half')
  if (half) return check('duplex', 'half', { port: half.port }, half.device)
  const full = ports.filter(one => one.duplex === 'full')
  return full.length > 0 ? check('duplex', 'full', { ports: full.length }) : check('duplex', 'untold')
}

function dhcp({ online, address, gateway }: ClientSigns): Check {
  if (!online) return check('dhcp', 'away')
  if (address?.startsWith('169.254.')) return check('dhcp', 'linkLocal', { address }, gateway?.name)
  if (!gateway) return check('dhcp', 'noGateway')
  const { name, leases, probe, ownSubnet } = gateway
  if (!gateway.online) return check('dhcp', 'gatewayAway', {}, name)
  if (!leases) return check('dhcp', 'untold', {}, name)
  // A lease outlives its server: the client loses its address when it ends.
  if (probe?.dhcpServer === false && (!address || leases.lease)) return check('dhcp', 'noServer', {}, name)
  if (!address) return check('dhcp', 'noAddress', {}, name)
  if (!ownSubnet) return check('dhcp', 'otherSubnet', { address }, name)
  const { lease } = leases
  if (!lease) return check('dhcp', 'fixed', { address }, name)
  return check('dhcp', 'lease', { address: lease.address, until: lease.expiresAt }, name)
}

function dns({ gateway }: ClientSigns, name: string): Check {
  if (!gateway) return check('dns', 'noGateway')
  const { online, probe, name: from } = gateway
  if (!online) return check('dns', 'gatewayAway', {}, from)
  if (!probe?.dns) return check('dns', 'noPrograms', {}, from)
  const seen = probe.dns
  if (probe.dnsServer === false && ('missing' in seen || seen.state === 'silent'))
    return check('dns', 'noServer', {}, from)
  if ('missing' in seen) return check('dns', 'missing', { program: seen.missing }, from)
  const values = { name, ms: seen.ms, answer: seen.answers[0] }
  if (seen.state === 'found') return check('dns', 'answers', values, from)
  if (seen.state === 'none') return check('dns', 'noName', values, from)
  if (seen.state === 'refused') return check('dns', 'refused', values, from)
  return check('dns', 'silent', values, from)
}

/** Pings that were answered: how well. */
function answered({ wifi }: ClientSigns, echoes: Echoes, from: string): Check {
  const loss = lossOf(echoes)
  const values = { loss, sent: echoes.sent, received: echoes.received, ms: echoes.avgMs }
  const graded = grade(loss, checkBounds.lossPercent, ['reached', 'lossy', 'loss'] as const)
  const late = (echoes.avgMs ?? 0) > (wifi ? checkBounds.wifiMs : checkBounds.wiredMs).fine
  return check('gateway', graded === 'reached' && late ? 'slow' : graded, values, from)
}

function gateway(signs: ClientSigns, mac: string): Check {
  const { online, address, gateway: own } = signs
  if (!own) return check('gateway', 'noGateway')
  const { name, probe, ownSubnet } = own
  if (!own.online) return check('gateway', 'offline', {}, name)
  if (!online) return check('gateway', 'away')
  if (!address || !ownSubnet) return check('gateway', 'noAddress')
  if (!probe) return check('gateway', 'noPrograms', {}, name)
  const { echoes, neighbour } = probe
  if (neighbour && neighbour.mac !== mac) return check('gateway', 'conflict', { mac: neighbour.mac, address }, name)
  if (echoes && echoes.received > 0) return answered(signs, echoes, name)
  // Many computers answer no ping; who answers for the address is there all the same.
  if (neighbour) return check('gateway', 'arp', { address }, name)
  return check('gateway', neighbour === null ? 'silent' : 'untold', { address }, name)
}

function measured(echoes: Echoes, reason: 'reached' | 'nextHop', target: string, from: string): Check {
  const loss = lossOf(echoes)
  const values = { loss, sent: echoes.sent, received: echoes.received, ms: echoes.avgMs, target }
  const graded = grade(loss, checkBounds.wanLossPercent, [reason, 'lossy', 'loss'] as const)
  return check('wan', graded === reason && (echoes.avgMs ?? 0) > checkBounds.wanMs.fine ? 'slow' : graded, values, from)
}

function wan({ gateway: own }: ClientSigns): Check {
  if (!own) return check('wan', 'noGateway')
  const { name, online, probe, wans } = own
  if (!online) return check('wan', 'gatewayAway', {}, name)
  const down = wans.find(one => !one.up)
  if (down && wans.every(one => !one.up)) return check('wan', 'down', { way: down.interface ?? '' }, name)
  if (!probe) return check('wan', 'noPrograms', {}, name)
  const { route, hop, hopThere, beyond } = probe
  if (route === null) return check('wan', 'noRoute', {}, name)
  const target = route?.via ?? ''
  if (beyond && beyond.received > 0) return measured(beyond, 'reached', beyond.address, name)
  if (hop && hop.received > 0) return measured(hop, 'nextHop', target, name)
  if (hopThere === false) return check('wan', 'hopSilent', { target, way: route?.interface }, name)
  return check('wan', 'untold', {}, name)
}

/** Every check, in order. `name`: what the name server was asked for; `mac` in lower case. */
export const judgeClient = (signs: ClientSigns, { mac, name }: { mac: string; name: string }): Check[] => [
  ...[connection(signs), signal(signs), retries(signs), channel(signs), portErrors(signs), duplex(signs)],
  ...[dhcp(signs), dns(signs, name), gateway(signs, mac), wan(signs)],
]

/** Those that need no programs of the gateway and no second reading. */
export const judgeAtOnce = (signs: ClientSigns): Check[] => [
  ...[connection(signs), signal(signs), retries(signs), channel(signs)],
]
