import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

// What FreeRADIUS wrote of who asked: a line each, tabs between, as server/guests/radius/here/render.ts formats it.

export type SignIn = {
  /** Unix ms. */
  at: number
  accepted: boolean
  network: number
  name: string
  /** Lower case with colons, where the asking device told one. */
  mac?: string
  /** What the asking device calls the place: its MAC address and the Wi-Fi network's name, say. */
  called?: string
  /** The asking device's address. */
  from: string
  /** `PEAP`, `TTLS`, `TLS`; absent for a plain password. */
  eap?: string
  /** Of who was refused. */
  why?: 'unknown' | 'other'
  /** Document of the user whom it was. */
  user?: string
}

const tailBytes = 512 * 1024

/** The end of a file, from a whole line on; '' where there is none. */
function tail(file: string): string {
  let handle: number
  try {
    handle = openSync(/* turbopackIgnore: true */ file, 'r')
  } catch {
    return ''
  }
  try {
    const { size } = fstatSync(handle)
    const bytes = Buffer.alloc(Math.min(size, tailBytes))
    const length = readSync(handle, bytes, 0, bytes.length, size - bytes.length)
    const text = bytes.subarray(0, length).toString('utf8')
    return size > tailBytes ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    closeSync(handle)
  }
}

const said = (word = '') => {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
const macOf = (text: string) => {
  const digits = text.replaceAll(/[^0-9a-f]/gi, '').toLowerCase()
  return digits.length === 12 ? digits.replace(/(..)(?=.)/g, '$1:') : undefined
}

const withUser = (said = '') => {
  const id = /^0x((?:[0-9a-f]{2})+)$/i.exec(said)?.[1]
  return id === undefined ? {} : { user: Buffer.from(id, 'hex').toString() }
}

export const statuses = ['Start', 'Interim-Update', 'Stop', 'Accounting-On', 'Accounting-Off'] as const
/** What a device told of who is in by it (RFC 2866), or of itself. */
export type Account = {
  /** Unix ms. */
  at: number
  status: (typeof statuses)[number]
  network: number
  name: string
  mac?: string
  called?: string
  from: string
  /** Of the device's own. */
  session: string
  /** Received from and sent to the client. */
  inBytes: number
  outBytes: number
  seconds: number
  user?: string
}

const wide = (text = '') => {
  const [high = 0, low = 0] = text.split(':').map(Number)
  const sum = high * 2 ** 32 + low
  return Number.isSafeInteger(sum) ? sum : 0
}

export function accountOf(line: string): Account | undefined {
  const [at, said_, network, name, mac, called, from = '', session, taken, sent, seconds, user] = line.split('\t')
  const status = statuses.find(one => one === said_)
  if (!status) return undefined
  const station = macOf(said(mac))
  return {
    ...{ at: Number(at) * 1000, status, network: Number(network), name: said(name), from, session: said(session) },
    ...(station !== undefined && { mac: station }),
    ...(called && { called: said(called) }),
    ...{ inBytes: wide(taken), outBytes: wide(sent), seconds: Number(seconds) || 0 },
    ...withUser(user),
  }
}

/** How far the journal was read; `file`: the number of its file, which a journal that was put aside keeps. */
export type Place = { file: number; offset: number }
const mostAtOnce = 1 << 20

function linesFrom(file: string, offset: number): { lines: string[]; offset: number } {
  const handle = openSync(/* turbopackIgnore: true */ file, 'r')
  try {
    const bytes = Buffer.alloc(mostAtOnce)
    const text = bytes.subarray(0, readSync(handle, bytes, 0, mostAtOnce, offset))
    const end = text.lastIndexOf(10) + 1
    // A line that is longer than any of ours is nobody's.
    if (end === 0) return { lines: [], offset: text.length === mostAtOnce ? offset + mostAtOnce : offset }
    return { lines: text.toString('utf8', 0, end - 1).split('\n'), offset: offset + end }
  } finally {
    closeSync(handle)
  }
}

/** Lines that were written since, at most a megabyte; from the journal's beginning on where nothing was read yet. */
export function newLines(folder: string, place: Place | undefined): { lines: string[]; place?: Place } {
  const files = [`${folder}/run/journal.1`, `${folder}/run/journal`].flatMap(path => {
    const seen = statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false })
    return seen ? [{ path, file: seen.ino, size: seen.size }] : []
  })
  const current = files.at(-1)
  const held = files.find(one => one.file === place?.file && one.size >= (place?.offset ?? 0))
  const from = held ?? (current?.path.endsWith('journal') ? current : undefined)
  if (!from) return { lines: [] }
  const { lines, offset } = linesFrom(from.path, held ? (place?.offset ?? 0) : 0)
  if (lines.length === 0 && current && from !== current) return newLines(folder, { file: current.file, offset: 0 })
  return { lines, place: { file: from.file, offset } }
}

function signInOf(line: string): SignIn | undefined {
  const [at, outcome, network, name, mac, called, from = '', eap, why, user] = line.split('\t')
  if (outcome !== 'accepted' && outcome !== 'rejected') return undefined
  const station = macOf(said(mac))
  return {
    at: Number(at) * 1000,
    accepted: outcome === 'accepted',
    network: Number(network),
    name: said(name),
    ...(station !== undefined && { mac: station }),
    ...(called && { called: said(called) }),
    from,
    ...(eap && { eap: said(eap) }),
    ...withUser(user),
    ...(outcome === 'rejected' && { why: why === 'unknown' ? 'unknown' : 'other' }),
  }
}

/** The last sign-ins of a network, the newest first. */
export const lastSignIns = (folder: string, network: number): SignIn[] =>
  tail(`${folder}/run/journal`)
    .split('\n')
    .flatMap(line => signInOf(line) ?? [])
    .filter(one => one.network === network)
    .reverse()
