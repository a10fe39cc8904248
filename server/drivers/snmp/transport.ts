import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DeviceError, type Target } from '../driver'
import { type Oid, oid, type VarBind } from './ber'
import type { Setting } from './ber-write'
import { type Channel, communityChannel, exceptions, greeting, type Reply, status, statusError } from './channel'
import type { Attempt, Peer } from './udp'
import { discoverEngine, usmChannel } from './usm-channel'

// The SNMP transport: versions 1, 2c and 3 behind one channel. Requests are bounded in time and retried; answers are
// taken only from the address asked. Whole tables are read by ./snmp/walk.

async function resolve(address: string, port: number): Promise<Peer> {
  const literal = isIP(address)
  if (literal) return { address, port, family: literal as 4 | 6 }
  const found = await lookup(address).catch(error => {
    throw new DeviceError('noRoute', 'name not found', { cause: error })
  })
  return { address: found.address, port, family: found.family as 4 | 6 }
}

/** A channel to the target. Nothing is sent yet. */
export async function openChannel(target: Target): Promise<Channel> {
  const { credential } = target
  if (credential.type === 'ssh') throw new DeviceError('internal', 'not an SNMP credential')
  const peer = await resolve(target.address, target.port)
  if (credential.type === 'snmp3') return usmChannel(peer, credential)
  return communityChannel(peer, credential.type === 'snmp1' ? 1 : 2, credential.community, credential.writeCommunity)
}

/**
 * Whether something speaks SNMPv3 at this address, found without any secret (RFC 3414 section 4).
 * Undefined: nothing readable came within two seconds. Agents without v3 stay silent.
 */
export async function discover(address: string, port = 161): Promise<{ engineId: string } | undefined> {
  const attempts: Attempt[] = [
    { milliseconds: 700, connected: true },
    { milliseconds: 1300, connected: true },
  ]
  const engine = await resolve(address, port)
    .then(peer => discoverEngine(peer, attempts))
    .catch(() => undefined)
  return engine && { engineId: engine.id.toString('hex') }
}

const perGet = 20

/**
 * Values by identifier; what the agent does not have is missing from the map.
 * Version 1 refuses a whole request for one missing variable: it is asked again without that one.
 */
export async function get(channel: Channel, names: string[], attempts?: Attempt[]): Promise<Map<string, VarBind>> {
  const found = new Map<string, VarBind>()
  for (let at = 0; at < names.length; at += perGet) {
    const asked = names.slice(at, at + perGet).map(oid)
    for (const binding of await getSome(channel, asked, attempts)) found.set(binding.oid, binding)
  }
  return found
}

async function getSome(channel: Channel, asked: Oid[], attempts?: Attempt[]): Promise<VarBind[]> {
  let rest = asked
  while (rest.length > 0) {
    const reply: Reply = await channel.exchange({ type: 'get', oids: rest }, attempts)
    if (reply.status === 0) return reply.bindings.filter(each => each.base < 0 && !exceptions.has(each.type))
    if (reply.status === status.tooBig && rest.length > 1) return halves(channel, rest, attempts)
    // noSuchName of version 1; some agents also say genErr for a variable that they cannot read just now.
    const blamed = rest[reply.index - 1]
    if (!blamed || (reply.status !== status.noSuchName && reply.status !== status.genErr)) throw statusError(reply)
    rest = rest.filter(each => each !== blamed)
  }
  return []
}

async function halves(channel: Channel, asked: Oid[], attempts?: Attempt[]): Promise<VarBind[]> {
  const middle = asked.length >> 1
  return [
    ...(await getSome(channel, asked.slice(0, middle), attempts)),
    ...(await getSome(channel, asked.slice(middle), attempts)),
  ]
}

/** Sets all or none (RFC 3416 section 4.2.5). Rejects with `credentials` where the agent forbids it. */
export async function set(channel: Channel, settings: Setting[]): Promise<void> {
  const reply = await channel.exchange({ type: 'set', oids: [], settings })
  if (reply.status !== 0) throw statusError(reply)
}

const systemGroup = '1.3.6.1.2.1.1'

/**
 * First words with a device: its description, object id and uptime, as far as it has them.
 * Rejects with `noView` when it answers but shows nothing of the system group.
 */
export async function greet(channel: Channel): Promise<Map<string, VarBind>> {
  const names = [`${systemGroup}.1.0`, `${systemGroup}.2.0`, `${systemGroup}.3.0`]
  const found = await get(channel, names, greeting)
  if (found.size > 0) return found
  const next = await channel.exchange({ type: 'getNext', oids: [oid(systemGroup)] })
  if (next.status === 0 && next.bindings[0] && next.bindings[0].base === 0 && !exceptions.has(next.bindings[0].type))
    return found
  throw new DeviceError('noView', 'the system group is not shown')
}
