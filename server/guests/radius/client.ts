import { lookup } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import type { RadiusFields } from '@/model/profiles/radius'
import { addressFor } from '@/server/drivers/own-address'
import { connectDatagrams } from '@/server/kernel/datagrams'
import {
  type Attribute,
  accessRequestOf,
  allOf,
  disconnectRequestOf,
  most,
  number32,
  numberOf,
  type Request,
  type Response,
  responseTo,
  statusRequestOf,
  textOf,
  types,
  vendorNumber,
} from './packet'
import { type ProofMethod, proofOf } from './proof'

/** Who signs in, where from: `mac` with colons, `ip` of either version. */
export type Login = { name: string; password: string; mac: string; ip: string; proof?: ProofMethod }
/** What the server grants; bytes of both directions, kbit/s. */
export type Granted = { seconds?: number; idleSeconds?: number; bytes?: number; download?: number; upload?: number }
/** What accounting names again: how the server calls the guest, and its Class attributes, base64. */
export type Echo = { name?: string; classes: string[] }
export type RadiusAnswer = { granted: Granted; echo?: Echo } | 'refused' | 'silent'

/** `notSelf`: it is no service of this machine; what leads here is asked nothing. */
type Server = { host: string; port: number; secret: string; notSelf?: true }
/** Of a company whose people do not run this machine. */
export type AskedRadius = RadiusFields & Pick<Server, 'notSelf'>

/** Rule G3, where the profile says nothing. */
const patience = { seconds: 3, retries: 2 }
/** A guest waits with the page open: no longer than this for all tries and servers. */
const wholeMs = 50_000
const atOnce = 64
let asking = 0

const login = 1
const wireless = 19
const wispr = { vendor: 14_122, up: 7, down: 8 }
const chilli = { vendor: 14_559, totalOctets: 3 }

/** Servers that answered with a Message-Authenticator once: from then on they always have to (CVE-2024-3596). */
const authenticating = new Set<string>()

const text = (value: string): Buffer => Buffer.from(value).subarray(0, most.value)
/** A device as servers know it. */
export const stationOf = (mac: string): Buffer => text(mac.toUpperCase().replaceAll(':', '-'))

function attributesOf({ nasId, protocol }: RadiusFields, { name, mac, ip }: Login): Attribute[] {
  return [
    [types.userName, text(name)],
    [types.nasIdentifier, text(nasId ?? 'lanward')],
    [types.nasPortType, number32(wireless)],
    [types.serviceType, number32(login)],
    [types.callingStation, stationOf(mac)],
    ...(isIPv4(ip) ? [[types.framedIp, Buffer.from(ip.split('.').map(Number))] as const] : []),
    ...(protocol === undefined ? [] : [[types.framedProtocol, number32(protocol)] as const]),
  ]
}

type Tries = { timeoutMs: number; tries: number; until: number }

/** Sends it until an answer comes that only the server can have made; undefined where none does. */
async function exchange({ host, port, secret, ...own }: Server, request: Request, { timeoutMs, tries, until }: Tries) {
  const { address } = await lookup(await addressFor({ address: host, ...own }))
  const place = `${address} ${port}`
  const socket = await connectDatagrams(address, port)
  return new Promise<Response | undefined>(done => {
    let timer: NodeJS.Timeout | undefined
    const end = (response?: Response) => {
      clearTimeout(timer)
      socket.removeAllListeners().on('error', () => undefined)
      socket.close()
      done(response)
    }
    const send = (left: number) => {
      if (left === 0 || Date.now() >= until) return end()
      socket.send(request.bytes)
      timer = setTimeout(() => send(left - 1), Math.min(timeoutMs, Math.max(1, until - Date.now())))
    }
    // Nobody listens there: no need to wait for it.
    socket.on('error', () => end())
    socket.on('message', datagram => {
      const response = responseTo(request, secret, datagram)
      if (!response || (authenticating.has(place) && !response.authenticated)) return
      if (response.authenticated) authenticating.add(place)
      end(response)
    })
    send(tries)
  })
}

const byPap = (password: string, secret: string) => (authenticator: Buffer) =>
  proofOf('pap', { name: '', password }, secret, authenticator)

/** One server is asked, with these attributes; undefined where it says nothing for four seconds. */
export const askServer = (server: Server, password: string, attributes: readonly Attribute[]) =>
  exchange(server, accessRequestOf(server.secret, attributes, byPap(password, server.secret)), {
    ...{ timeoutMs: 4000, tries: 1, until: Date.now() + 4000 },
  }).catch(() => undefined)

/** Whether a server answers within a second. */
export const statusOf = async (server: Server): Promise<boolean> => {
  const tries = { timeoutMs: 500, tries: 2, until: Date.now() + 1000 }
  const response = await exchange(server, statusRequestOf(server.secret), tries).catch(() => undefined)
  return response?.accepted === true
}

const disconnectTries = { timeoutMs: 600, tries: 2 }

/** Asks an access point at one port to put a device out (RFC 5176); whether it did. */
export async function disconnect(server: Server, mac: string): Promise<boolean> {
  const request = disconnectRequestOf(server.secret, [
    [types.callingStation, stationOf(mac)],
    [types.eventTimestamp, number32(Math.floor(Date.now() / 1000))],
  ])
  const tries = { ...disconnectTries, until: Date.now() + 2 * disconnectTries.timeoutMs }
  const response = await exchange(server, request, tries).catch(() => undefined)
  return response?.accepted === true
}

function grantedBy(response: Response): Granted {
  const kbps = (bits: number | undefined) => (bits ? Math.max(1, Math.round(bits / 1000)) : undefined)
  const granted = {
    seconds: numberOf(response, types.sessionTimeout),
    idleSeconds: numberOf(response, types.idleTimeout),
    bytes: vendorNumber(response, chilli.vendor, chilli.totalOctets),
    download: kbps(vendorNumber(response, wispr.vendor, wispr.down)),
    upload: kbps(vendorNumber(response, wispr.vendor, wispr.up)),
  }
  return Object.fromEntries(Object.entries(granted).filter(([, value]) => value)) as Granted
}

function serversOf({ server, port, secret, secondServer, secondPort, secondSecret, ...radius }: AskedRadius): Server[] {
  const own = radius.notSelf && { notSelf: radius.notSelf }
  return [
    { host: server, port, secret, ...own },
    ...(secondServer && secondSecret ? [{ host: secondServer, port: secondPort, secret: secondSecret, ...own }] : []),
  ]
}

/** What the first server answers, or the second where that says nothing; rule G3. Undefined: neither did. */
export async function firstAnswer(
  radius: AskedRadius,
  requestOf: (server: Pick<Server, 'secret'>) => Request,
): Promise<Response | undefined> {
  const { retryTimeout = patience.seconds, retries = patience.retries } = radius
  const all = serversOf(radius)
  const start = Date.now()
  for (const [at, server] of all.entries()) {
    // The second server gets its part of the time, too.
    const until = start + (wholeMs * (at + 1)) / all.length
    const tries = { timeoutMs: retryTimeout * 1000, tries: retries + 1, until }
    const response = await exchange(server, requestOf(server), tries).catch(() => undefined)
    if (response) return response
  }
  return undefined
}

function echoOf(response: Response): Echo | undefined {
  const name = textOf(response, types.userName)
  const classes = allOf(response, types.class).map(one => one.toString('base64'))
  return name || classes.length > 0 ? { ...(name && { name }), classes } : undefined
}

async function ask(radius: AskedRadius, who: Login): Promise<RadiusAnswer> {
  const { proof = 'pap' } = who
  const attributes = attributesOf(radius, who)
  const response = await firstAnswer(radius, ({ secret }) =>
    accessRequestOf(secret, attributes, authenticator => proofOf(proof, who, secret, authenticator)),
  )
  if (!response) return 'silent'
  if (!response.accepted) return 'refused'
  const echo = echoOf(response)
  return { granted: grantedBy(response), ...(echo && { echo }) }
}

/**
 * Asks the servers of a RADIUS profile (RFC 2865), the second where the first says nothing; rule G3. `refused`: also a name
 * or password that no request can hold.
 */
export async function askRadius(radius: AskedRadius, who: Login): Promise<RadiusAnswer> {
  const tooLong = (who.proof ?? 'pap') === 'pap' && Buffer.byteLength(who.password) > most.password
  if (tooLong || Buffer.byteLength(who.name) > most.value) return 'refused'
  if (asking >= atOnce) return 'silent'
  asking += 1
  try {
    return await ask(radius, who)
  } finally {
    asking -= 1
  }
}
