import { type Credential, DeviceError, isDeviceError, type Reason } from '../../driver'
import { BerError, type Oid, pdu, type VarBind } from './ber'
import { encodePdu } from './ber-write'
import { type Ask, type Channel, greeting, type Reply } from './channel'
import { learnPace, newHabits, usual } from './habits'
import { decodeV3, type Engine, encodeV3, type Incoming, type Keys } from './message-v3'
import { type Attempt, ask, freshId, type Peer } from './udp'
import { localizedKey, privacyKey } from './usm'

// SNMPv3 with the user-based security model (RFC 3414). Written here because the net-snmp package decodes inside the
// socket's event handler, takes unauthenticated replies in an authenticated session, and has no DES under OpenSSL 3.

type V3 = Extract<Credential, { type: 'snmp3' }>

const noEngine: Engine = { id: Buffer.alloc(0), clock: { boots: 0, time: 0 } }

/** Asks for the engine (RFC 3414 section 4): needs no secret, so it also tells whether anything speaks SNMPv3 there. */
export async function discoverEngine(peer: Peer, attempts: Attempt[]): Promise<Engine> {
  const id = freshId()
  const body = encodePdu({ type: pdu.get, id, oids: [] })
  const packet = encodeV3({ id, user: '', engine: noEngine, keys: {}, context: '', body })
  const { engine } = read(await ask(peer, id, packet, attempts), {}, [])
  if (engine.id.length < 5 || engine.id.length > 64) throw new DeviceError('malformed', 'no engine id')
  return engine
}

function read(data: Buffer, keys: Keys, asked: Oid[]): Incoming {
  try {
    return decodeV3(data, keys, asked)
  } catch (error) {
    const detail = error instanceof BerError ? error.message : 'cannot be decrypted'
    throw new DeviceError('malformed', detail, { cause: error })
  }
}

/** Reports of RFC 3414 section 5 and RFC 3412 section 5: what the agent refused. */
const reports: Record<string, { reason: Reason; detail: string; resync?: boolean }> = {
  '1.3.6.1.6.3.15.1.1.1': { reason: 'credentials', detail: 'security level not supported for this user' },
  '1.3.6.1.6.3.15.1.1.2': { reason: 'credentials', detail: 'not in time window', resync: true },
  '1.3.6.1.6.3.15.1.1.3': { reason: 'credentials', detail: 'unknown user' },
  '1.3.6.1.6.3.15.1.1.4': { reason: 'credentials', detail: 'unknown engine', resync: true },
  '1.3.6.1.6.3.15.1.1.5': { reason: 'credentials', detail: 'wrong authentication key' },
  '1.3.6.1.6.3.15.1.1.6': { reason: 'credentials', detail: 'wrong privacy key' },
  '1.3.6.1.6.3.12.1.4': { reason: 'noView', detail: 'context not available' },
  '1.3.6.1.6.3.12.1.5': { reason: 'noView', detail: 'unknown context' },
}

function reportOf(bindings: VarBind[]) {
  const name = bindings[0]?.oid ?? ''
  const known = reports[name.replace(/\.0$/, '')]
  return known ?? { reason: 'malformed' as const, detail: `report ${name}` }
}

class EngineState {
  engine?: Engine
  private learnedAt = 0
  private discovery?: Promise<void>
  private readonly peer: Peer
  constructor(peer: Peer) {
    this.peer = peer
  }

  learn(engine: Engine) {
    this.engine = engine
    this.learnedAt = performance.now()
  }

  /** The engine with its clock moved on since it was last heard. */
  async now(attempts: Attempt[]): Promise<Engine> {
    this.discovery ??= discoverEngine(this.peer, attempts).then(
      engine => this.learn(engine),
      error => {
        this.discovery = undefined
        throw error
      },
    )
    await this.discovery
    const engine = this.engine ?? noEngine
    const { boots, time } = engine.clock
    if (!boots && !time) return engine
    const passed = Math.floor((performance.now() - this.learnedAt) / 1000)
    return { id: engine.id, clock: { boots, time: time + passed } }
  }
}

/** A user’s keys at one engine. Throws DeviceError for a login that lacks one. */
export function keysFor(credential: V3, engineId: Buffer): Keys {
  const { level, authProtocol: auth = 'sha', privProtocol: priv = 'aes' } = credential
  if (level === 'noAuthNoPriv') return {}
  if (!credential.authKey) throw new DeviceError('credentials', 'no authentication key')
  const authKey = localizedKey(auth, Buffer.from(credential.authKey), engineId)
  if (level === 'authNoPriv') return { auth, authKey }
  if (!credential.privKey) throw new DeviceError('credentials', 'no privacy key')
  return { auth, authKey, priv, privKey: privacyKey(priv, auth, Buffer.from(credential.privKey), engineId) }
}

/** A user's conversation with one engine; channels of other contexts share the engine. */
type Talk = {
  peer: Peer
  credential: V3
  shared: EngineState
  /** Made once for each engine: to derive them takes long. */
  keys?: { engine: string; keys: Keys }
  answered: boolean
  closed: boolean
}

function keysOf(talk: Talk, engine: Engine): Keys {
  const name = engine.id.toString('hex')
  if (talk.keys?.engine !== name) talk.keys = { engine: name, keys: keysFor(talk.credential, engine.id) }
  return talk.keys.keys
}

// Unauthenticated reports may only teach an engine id we did not know, never move a known clock (RFC 3414 section 3.2).
function learnFrom({ shared }: Talk, message: Incoming) {
  const same = shared.engine?.id.equals(message.engine.id)
  if (message.authentic || !same) shared.learn(message.engine)
}

async function once(talk: Talk, question: Ask, attempts: Attempt[]): Promise<Incoming> {
  const { peer, credential } = talk
  const engine = await talk.shared.now(attempts)
  const used = keysOf(talk, engine)
  const id = freshId()
  const { type, oids, settings, maxRepetitions = 10 } = question
  const body = encodePdu({ type: pdu[type], id, oids, settings, second: type === 'getBulk' ? maxRepetitions : 0 })
  const context = credential.context ?? ''
  const packet = encodeV3({ id, user: credential.user, engine, keys: used, context, body })
  const message = read(await ask(peer, id, packet, attempts), used, question.bases ?? oids)
  if (talk.closed) throw new DeviceError('cancelled')
  if (message.authentic || message.type === pdu.report) learnFrom(talk, message)
  if (message.type === pdu.response && (message.authentic !== !!used.auth || message.encrypted !== !!used.priv))
    throw new DeviceError('malformed', 'reply at a lower security level')
  return message
}

// Many agents drop what they cannot authenticate or decrypt without a word. An engine that still tells its name while
// it has never answered this user is alive: the keys are wrong.
async function explainSilence({ peer, shared, answered }: Talk, error: unknown): Promise<never> {
  if (!isDeviceError(error) || error.reason !== 'timeout' || answered || !shared.engine) throw error
  const there = await discoverEngine(peer, greeting).catch(() => undefined)
  throw there ? new DeviceError('credentials', 'the engine answers, but not to this user with these keys') : error
}

async function exchange(talk: Talk, question: Ask, attempts: Attempt[]): Promise<Reply> {
  if (talk.closed) throw new DeviceError('cancelled')
  for (let round = 0; ; round++) {
    const message = await once(talk, question, attempts).catch(error => explainSilence(talk, error))
    if (message.type !== pdu.report) {
      talk.answered = true
      return message
    }
    const report = reportOf(message.bindings)
    // Clock and engine are learned from the report itself; the second refusal is final.
    if (!('resync' in report && report.resync) || round >= 2) throw new DeviceError(report.reason, report.detail)
  }
}

export function usmChannel(peer: Peer, credential: V3, shared = new EngineState(peer)): Channel {
  const talk: Talk = { peer, credential, shared, answered: false, closed: false }
  const habits = newHabits()
  return {
    version: 3,
    habits,
    async exchange(question, attempts = usual(habits)) {
      const began = performance.now()
      const reply = await exchange(talk, question, attempts)
      learnPace(habits, performance.now() - began, attempts)
      return reply
    },
    forVlan: vlan => usmChannel(peer, { ...credential, context: `vlan-${vlan}` }, shared),
    close() {
      talk.closed = true
    },
  }
}
