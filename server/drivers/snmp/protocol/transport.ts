import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DeviceError, isDeviceError, type Target } from '../../driver'
import { addressFor } from '../../own-address'
import { askEach } from './ask-each'
import { type Oid, oid, type VarBind } from './ber'
import type { Setting } from './ber-write'
import { type Channel, communityChannel, exceptions, greeting, statusError } from './channel'
import type { Attempt, Peer } from './udp'
import { discoverEngine, usmChannel } from './usm-channel'

// The SNMP transport: versions 1, 2c and 3 behind one channel. Requests are bounded in time and retried; answers are
// taken only from the address asked. Whole tables are read by ./walk.

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
  const peer = await resolve(await addressFor(target), target.port)
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

/**
 * Values by identifier; what the agent does not have, or never answers, is missing from the map.
 * Version 1 refuses a whole request for one missing variable: it is asked again without that one.
 */
export async function get(channel: Channel, names: string[], attempts?: Attempt[]): Promise<Map<string, VarBind>> {
  const found = await askEach(channel, 'get', names.map(oid), attempts)
  return new Map([...found].map(([{ text }, binding]) => [text, binding]))
}

/** Sets all or none (RFC 3416 section 4.2.5). Rejects with `credentials` where the agent forbids it. */
export async function set(channel: Channel, settings: Setting[]): Promise<void> {
  const reply = await channel.exchange({ type: 'set', oids: [], settings })
  if (reply.status !== 0) throw statusError(reply)
}

const enterprises = '1.3.6.1.4.1'

/** Which of these branches below 1.3.6.1.4.1 have anything. */
export async function answering(channel: Channel, branches: readonly string[]): Promise<string[]> {
  const names = branches.map(each => oid(`${enterprises}.${each}`))
  const found = await askEach(channel, 'getNext', names)
  return branches.filter((_, i) => found.has(names[i] as Oid))
}

const systemGroup = '1.3.6.1.2.1.1'
const firstOfAll = '0.1'

/** One question for something, by another request than the one that stayed without an answer. */
const something: Attempt[] = [
  { milliseconds: 1500, connected: true },
  { milliseconds: 2500, connected: true },
]

/**
 * First words with a device: its description, object id and uptime, as far as it has them. With `attempts` it is asked by
 * those alone. Rejects with `noView` when it answers but shows nothing at all.
 */
export async function greet(channel: Channel, attempts: Attempt[] = greeting): Promise<Map<string, VarBind>> {
  const names = ['1', '2', '3'].map(each => `${systemGroup}.${each}.0`)
  const reply = await channel.exchange({ type: 'get', oids: names.map(oid) }, attempts).catch(error => {
    if (attempts !== greeting || !isDeviceError(error) || error.reason !== 'timeout') throw error
  })
  const proof = oid(systemGroup)
  // Silent about one of them, it may still answer for the others.
  if (!reply) await channel.exchange({ type: 'getNext', oids: [proof] }, something)
  channel.habits.proof =
    reply?.status === 0 ? { type: 'get', oid: oid(names[2] as string) } : { type: 'getNext', oid: proof }
  const whole = reply?.status === 0 && reply.bindings.length === names.length
  const found = whole ? byName(reply.bindings) : await get(channel, names)
  if (found.size > 0) return found
  const first = oid(firstOfAll)
  const any = await channel.exchange({ type: 'getNext', oids: [first] })
  const [shown] = any.bindings
  if (any.status === 0 && shown && !exceptions.has(shown.type)) return found
  throw new DeviceError('noView', 'nothing is shown')
}

const byName = (bindings: VarBind[]) =>
  new Map(bindings.filter(each => !exceptions.has(each.type)).map(each => [each.oid, each]))
