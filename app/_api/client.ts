import type common from '@/locales/en/common.json'
import facts from '@/model/call-facts.json'
import { codes } from '@/model/codes'
import type { CallMap } from '@/server/door/calls'
import { isUnattended } from './attention'
import { doubtReach } from './reach'
import { isLeaving, pageAccount, signedInAgain } from './session-end'

export type CallPath = keyof CallMap
export type CallInput<P extends CallPath> = CallMap[P]['input']
export type CallOutput<P extends CallPath> = CallMap[P]['output']

/** Beside the codes of model/codes.ts: what went wrong before an answer with a code arrived. */
export type FailureKind = 'refused' | 'session' | 'forbidden' | 'timeout' | 'network'

/** A call that did not succeed. `retCode` is 0 where no answer arrived; `fields` holds message keys at field names. */
export class ApiError extends Error {
  readonly kind: FailureKind
  readonly path: string
  readonly retCode: number
  readonly data: Record<string, unknown>
  readonly fields: Record<string, string>
  /** What the words of a field's message need, e.g. {min, max}. */
  readonly values: Record<string, Record<string, number>>
  /** What else is wrong at a field of which all is told at once. */
  readonly more: Record<string, string[]>
  readonly requestId: string
  constructor(kind: FailureKind, path: string, retCode = 0, data: Record<string, unknown> = {}, requestId = '') {
    super(`${path}: ${kind} ${retCode}`)
    this.kind = kind
    this.path = path
    this.retCode = retCode
    this.data = data
    this.fields = (data.fields as Record<string, string> | undefined) ?? {}
    this.values = (data.values as Record<string, Record<string, number>> | undefined) ?? {}
    this.more = (data.more as Record<string, string[]> | undefined) ?? {}
    this.requestId = requestId
  }
}

type DoneWord = keyof typeof common.done

export type CallOptions = {
  signal?: AbortSignal
  /** The caller shows the failure itself: no toast. Session and network-gone failures are handled centrally all the same. */
  quiet?: boolean
  /** Its answer is what a part of the page shows: nothing was changed by it. */
  asks?: boolean
  /** What a toast says of it; an act that can say more (of what, with whom) says so itself. */
  done?: DoneWord
}

type Listener = (event: { error: ApiError; quiet: boolean } | { done: DoneWord }) => void
const listeners = new Set<Listener>()
/** The shell's ear: hears every failure and every wanted success message. */
export function onOutcome(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const tell: Listener = event => {
  for (const listener of listeners) listener(event)
}

type Ear = (path: string, topics: readonly string[]) => Promise<unknown>
const ears = new Set<Ear>()
let renewed: Promise<unknown> = Promise.resolve()
/** Hears of every call that succeeded and made news; what it starts is waited for by `whenRenewed`. */
export function onSuccess(ear: Ear): () => void {
  ears.add(ear)
  return () => ears.delete(ear)
}
/** Tells that a call was made, and of what it is news by the header of its answer (server/door/dispatch.ts). */
export function tellSuccess(path: string, header: string | null): void {
  const topics = header?.split(' ')
  if (topics) renewed = Promise.allSettled([renewed, ...[...ears].map(ear => ear(path, topics))])
}
/** Resolves when what the calls so far made old is fresh, or could not be had. */
export const whenRenewed = (): Promise<unknown> => renewed

/** Milliseconds a call may take (specification 2-rules.md section 9); undefined is no limit. */
export function timeoutOf(path: string): number | undefined {
  const seconds = (facts.seconds as Readonly<Record<string, number | string>>)[path] ?? 30
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

const running = new Map<string, AbortController>()

function claim(path: string, input: unknown): AbortController {
  const own = new AbortController()
  if (!facts.once.includes(path)) return own
  const key = `${path} ${JSON.stringify(input)}`
  running.get(key)?.abort('replaced')
  running.set(key, own)
  own.signal.addEventListener('abort', () => running.get(key) === own && running.delete(key))
  return own
}

function headers(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    ...pageAccount(),
    ...(isUnattended() && { 'x-lanward-background': '1' }),
  }
}

const authorityCodes: readonly unknown[] = [codes.noAuthority, codes.menuForbidden, codes.notInShared]

/** Bytes: browsers refuse calls that outlive their page and are larger than 64 KiB in all. */
const outlivingBytes = 32_768

async function request(path: string, input: unknown, signal: AbortSignal) {
  const text = JSON.stringify(input)
  const response = await fetch(`/app/${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: headers(),
    body: text,
    keepalive: facts.keepalive.includes(path) && text.length < outlivingBytes,
    signal,
  })
  const requestId = response.headers.get('x-request-id') ?? ''
  const body = (await response.json().catch(() => null)) as { retCode: number; data?: Record<string, unknown> } | null
  if (response.status === 401) throw new ApiError('session', path, body?.retCode, body?.data, requestId)
  // What a person may not do is said by its code, as other refusals are.
  if (response.status === 403 && !authorityCodes.includes(body?.retCode))
    throw new ApiError('forbidden', path, body?.retCode, body?.data, requestId)
  if (!body) throw new ApiError('network', path, 0, { status: response.status }, requestId)
  if (body.retCode !== 0) throw new ApiError('refused', path, body.retCode, body.data, requestId)
  return { data: body.data, topics: response.headers.get('x-lanward-topics') }
}

function asApiError(error: unknown, path: string): unknown {
  if (error instanceof ApiError) return error
  const name = (error as { name?: string }).name
  if (name === 'TimeoutError') return new ApiError('timeout', path)
  // A cancelled request is nobody's failure.
  if (name === 'AbortError' || error === 'replaced') return error
  return new ApiError('network', path)
}

/** True for a request that somebody cancelled: say nothing about it. */
export const isCancelled = (error: unknown) => !(error instanceof ApiError)

/** Shows a failure that did not come by `callApi` as of every call. */
export const tellFailure = (error: ApiError): void => tell({ error, quiet: false })

/**
 * POST /app/<path>. Resolves to the answer's data; rejects with `ApiError`, or with an abort reason when cancelled.
 * Without `quiet` a failure is also shown as a toast.
 */
export async function callApi<P extends CallPath>(
  path: P,
  input: CallInput<P>,
  options: CallOptions = {},
): Promise<CallOutput<P>> {
  if (isLeaving()) return new Promise(() => undefined)
  const own = claim(path, input)
  const limit = timeoutOf(path)
  const signals = [own.signal, options.signal, limit === undefined ? undefined : AbortSignal.timeout(limit)]
  try {
    const { data, topics } = await request(path, input, AbortSignal.any(signals.filter(signal => signal !== undefined)))
    if (!options.asks) tellSuccess(path, topics)
    if (options.done) tell({ done: options.done })
    return data as CallOutput<P>
  } catch (error) {
    const failure = asApiError(error, path)
    if (failure instanceof ApiError && failure.kind === 'network') void doubtReach()
    if (failure instanceof ApiError && failure.kind === 'session' && (await signedInAgain(options.asks ?? false)))
      return await callApi(path, input, options)
    if (failure instanceof ApiError) tell({ error: failure, quiet: options.quiet ?? false })
    throw failure
  } finally {
    own.abort('done')
  }
}
