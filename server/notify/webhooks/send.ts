import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { limits } from '@/model/limits'
import { type Address, addressesOf, isBlocked, type Lookup } from './targets'

/** How a try ended. `error` is empty when it arrived, else a key of webhooks.json reasons, or a system's own word. */
export type Outcome = { code: number; ms: number; error: string; answer: string; retryAfter?: string }

export type SendOptions = { allowed: readonly string[]; lookup: Lookup; limitMs: number; stop: AbortSignal }

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the secret>`. */
export function signatureOf(secret: string, body: string, now: number): string {
  const t = Math.floor(now / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}

/** Stands for asking a name server: the addresses that were judged, and no others. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else if (first) done(null, first.address, first.family)
  }

/** What came back as text of at most 2 kB; nothing in it acts on a terminal. */
const textOf = (parts: readonly Buffer[]): string =>
  Buffer.concat(parts)
    .subarray(0, limits.webhookAnswerBytes)
    .toString('utf8')
    .replace(/[^\P{Cc}\n\t]/gu, '')

/** `retryAfter`: the header of that name (RFC 9110 section 10.2.3). */
type Answer = { code: number; answer: string; retryAfter?: string }

/** The answer's status and beginning. Once there is a status it counts, however slowly the rest would come. */
function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  return new Promise(done => {
    const parts: Buffer[] = []
    let size = 0
    const finish = () => {
      response.destroy()
      const retryAfter = response.headers['retry-after']
      done({ code: response.statusCode ?? 0, answer: textOf(parts), ...(retryAfter && { retryAfter }) })
    }
    response.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size >= limits.webhookAnswerBytes) finish()
    })
    response.once('end', finish)
    response.once('error', finish)
    response.once('close', finish)
  })
}

/** A request, with a body of JSON unless its headers say something else. */
export type WebRequest = {
  url: URL
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Readonly<Record<string, string>>
  body: string
}

function exchange(
  { url, method = 'POST', headers, body }: WebRequest,
  addresses: readonly Address[],
  signal: AbortSignal,
) {
  return new Promise<Answer>((done, failed) => {
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(url, {
      ...{ method, agent: false, lookup: pinned(addresses), signal },
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Lanward',
        ...headers,
      },
    })
    let answered = false
    const lost = (error: Error) => {
      if (!answered) failed(error)
    }
    sent.on('error', lost)
    // After an answer that wants another protocol Node drops the line without a word.
    sent.once('close', () => lost(new Error('ECONNRESET')))
    sent.once('response', response => {
      answered = true
      void readAnswer(response).then(done)
    })
    sent.end(body)
  })
}

const certificateCodes = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/

export function wordOf(error: unknown): string {
  if (isBlocked(error)) return error.blocked
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'noAddress'
  return certificateCodes.test(code) ? 'certificate' : code || message.slice(0, limits.textCharacters)
}

/** Rejects when `signal` does: what cannot be told to stop is left to itself. */
export const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, failed) => {
      if (signal.aborted) failed(signal.reason)
      signal.addEventListener('abort', () => failed(signal.reason), { once: true })
    }),
  ])

/**
 * What ends a try: its time, or the manager's own end. Nothing of it is left when it is released: the manager's signal
 * lives as long as the manager, and `AbortSignal.any` would keep each try with it.
 */
export function endOf(limitMs: number, stop: AbortSignal) {
  const control = new AbortController()
  let late = false
  const end = () => control.abort(stop.reason)
  const timer = setTimeout(() => {
    late = true
    control.abort(new Error('timeout'))
  }, limitMs)
  stop.addEventListener('abort', end, { once: true })
  if (stop.aborted) end()
  const release = () => {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  }
  return { signal: control.signal, timedOut: () => late, release }
}

const errorOf = (code: number): string => {
  if (code >= 200 && code < 300) return ''
  return code >= 300 && code < 400 ? 'redirect' : 'status'
}

/** One try. Resolves however it ends; no redirect is followed, and the whole takes no longer than the limit. */
export async function askOnce(
  request: () => WebRequest,
  { allowed, lookup, limitMs, stop }: SendOptions,
): Promise<Outcome> {
  const began = performance.now()
  const ended = (rest: Omit<Outcome, 'ms'>): Outcome => ({ ...rest, ms: Math.round(performance.now() - began) })
  const { signal, timedOut, release } = endOf(limitMs, stop)
  try {
    const wanted = request()
    const addresses = await within(signal, addressesOf(wanted.url, allowed, lookup))
    const answer = await exchange(wanted, addresses, signal)
    return ended({ ...answer, error: errorOf(answer.code) })
  } catch (error) {
    return ended({ code: 0, answer: '', error: timedOut() ? 'timeout' : wordOf(error) })
  } finally {
    release()
  }
}

/** One try of a webhook, signed. */
export const sendOnce = (
  { url, body, secret, now }: { url: string; body: string; secret: string; now: number },
  options: SendOptions,
): Promise<Outcome> =>
  askOnce(
    () => ({ url: new URL(url), body, headers: { 'x-lanward-signature': signatureOf(secret, body, now) } }),
    options,
  )
