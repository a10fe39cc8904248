import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import { limits } from '@/model/limits'
import { failDevice } from '@/server/devices/link/errors'
import { bodyBytes } from '@/server/kernel/body'
import type { AnyCall, BaseContext, CookieOptions } from '@/server/kernel/call'
import { cookieLine, readCookie } from '@/server/kernel/cookies'
import { fail, Refusal } from '@/server/kernel/fail'
import { isLoopback, remoteAddress } from '@/server/kernel/remote'
import { frees, isReserveOpen, isStorageFull, openReserve } from '@/server/kernel/reserve'
import { type Runtime, runtimeIfReady } from '@/server/kernel/runtime'
import { findSession, sessionCookie } from '@/server/people/accounts/sessions'
import { actorByKey, bearerOf } from '@/server/people/keys/keys'
import { checkAuthority, type Requester, runCall } from './authorize'
import { calls } from './calls'
import { bodyOf, refusalOf, statusOf } from './refusal'

const byPath: ReadonlyMap<string, AnyCall> = new Map((calls as readonly AnyCall[]).map(call => [call.path, call]))

function reply(body: unknown, status: number, cookies: string[], requestId: string): Response {
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  })
  for (const line of cookies) headers.append('set-cookie', line)
  return new Response(JSON.stringify(body), { status, headers })
}

async function readInput(call: AnyCall, request: Request): Promise<Record<string, unknown>> {
  if (request.method === 'GET' || call.body === 'stream') return Object.fromEntries(new URL(request.url).searchParams)
  const most = call.authority === 'open' ? limits.openBodyBytes : limits.bodyBytes
  // Whatever Content-Length says.
  const text = (await bodyBytes(request, most, () => fail('bodyTooLarge'))).toString('utf8')
  if (call.body === 'form') return Object.fromEntries(new URLSearchParams(text))
  if (!text.trim()) return {}
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    fail('invalidInput', { fields: { '': 'brokenJson' } })
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    fail('invalidInput', { fields: { '': 'notAnObject' } })
  return body as Record<string, unknown>
}

/** Cross-site requests: a browser always sends Origin with a POST it was led to, and a page cannot set X-Requested-With. */
function checkOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (!request.headers.get('x-requested-with')) fail('sameOriginOnly')
  if (!origin) return
  const host = request.headers.get('host')
  if (!URL.canParse(origin) || new URL(origin).host !== host) fail('sameOriginOnly')
}

function baseContext(runtime: Runtime, request: Request, requestId: string, cookies: string[]): BaseContext {
  const address = remoteAddress(request.headers)
  const secure = request.headers.get('x-forwarded-proto') === 'https'
  const header = request.headers.get('cookie')
  return {
    runtime,
    request,
    requestId,
    address,
    loopback: isLoopback(address),
    secure,
    now: Date.now(),
    cookie: name => readCookie(header, name),
    setCookie: (name, value, options?: CookieOptions) =>
      cookies.push(cookieLine(name, value, secure, options?.maxAgeSeconds, options?.path)),
    clearCookie: name => cookies.push(cookieLine(name, '', secure, 0)),
  }
}

/** Who asks: a key where one is given, whatever else is; else the session, whose browser proves that no other site sent it. */
async function requesterOf(call: AnyCall, context: BaseContext): Promise<Requester | undefined> {
  const { runtime, request } = context
  const key = bearerOf(request)
  if (key !== undefined) return actorByKey(context, call, key)
  if (call.changes && call.body !== 'form') checkOrigin(request)
  const background = request.headers.get('x-lanward-background') === '1'
  const cookie = context.cookie(sessionCookie(context.secure))
  const found = await findSession(runtime, cookie, !background, context.address)
  // A page that was left open does nothing under the name of who signed in after its own person.
  const page = request.headers.get('x-lanward-account')
  return page === null || page === String(found?.actor.id) ? found : undefined
}

/** For so long after it was asked for, what somebody may do is taken as it was. */
const staleMs = 250

/** A call on a disk that may be full: what frees room, or lets somebody in to free it, has the reserve; nothing else has. */
async function withReserve(call: AnyCall, { runtime }: BaseContext, work: () => Promise<unknown>): Promise<unknown> {
  if (!frees(call.path)) {
    if (call.changes && isReserveOpen(runtime)) fail('storageFull')
    return work()
  }
  try {
    return await work()
  } catch (error) {
    if (!isStorageFull(error) || !openReserve(runtime)) throw error
    return work()
  }
}

/** ready → method → key, or origin and session → authority → network → input → run. */
async function perform(call: AnyCall, context: BaseContext, meet: (requester?: Requester) => void): Promise<unknown> {
  const { request } = context
  if (request.method === 'GET' ? !call.get : request.method !== 'POST') fail('methodNotAllowed')
  const asked = await requesterOf(call, context)
  meet(asked)
  checkAuthority(call, asked)
  const input = await readInput(call, request)
  // A device's refusal has a code of its own, whatever call it comes through.
  const run = (by: Requester | undefined) =>
    withReserve(call, context, () => runCall(call, context, by, input)).catch(failDevice)
  if (Date.now() - context.now <= staleMs) return run(asked)
  // Whoever was let out meanwhile must not act by a request whose end they held back.
  const requester = await requesterOf(call, context)
  checkAuthority(call, requester)
  return run(requester)
}

/** The language in which this browser or script is told why it was refused. */
function localeOf({ runtime, cookie }: BaseContext, requester: Requester | undefined): string | undefined {
  if (!requester) return cookie('locale')
  try {
    const own = runtime.db.select({ locale: accounts.locale }).from(accounts).where(eq(accounts.id, requester.actor.id))
    return own.get()?.locale ?? undefined
  } catch {
    return undefined
  }
}

async function refused(error: unknown, context: BaseContext, requester: Requester | undefined, cookies: string[]) {
  const { request, requestId } = context
  const refusal = refusalOf(error, requestId)
  const key = bearerOf(request) !== undefined
  const unknown = !key && context.cookie(sessionCookie(context.secure)) === undefined
  const body = await bodyOf(refusal, { key, unknown, locale: localeOf(context, requester) })
  const answer = reply(body, statusOf(refusal, key), cookies, requestId)
  // A script is told in the words of HTTP when to come back; `retryAfter` is its seconds.
  const { retryAfter } = refusal.data
  if (typeof retryAfter === 'number') answer.headers.set('retry-after', String(retryAfter))
  return answer
}

/** What is refused before anybody was asked who they are. */
async function turnedAway(code: 'notReady' | 'notFoundCall', status: number, data: object, requestId: string) {
  const refusal = new Refusal(code, { ...data })
  return reply(await bodyOf(refusal, { key: false, unknown: true, locale: undefined }), status, [], requestId)
}

/** Answers one request at the one door. Never throws, never 5xx: unknown errors are logged with the request's id. */
export async function dispatch(path: string, request: Request): Promise<Response> {
  const requestId = randomUUID()
  const cookies: string[] = []
  const runtime = runtimeIfReady()
  if (!runtime) return turnedAway('notReady', 503, {}, requestId)
  const call = byPath.get(path)
  if (!call) return turnedAway('notFoundCall', 404, { path }, requestId)
  const context = baseContext(runtime, request, requestId, cookies)
  let requester: Requester | undefined
  try {
    const data = await perform(call, context, who => {
      requester = who
    })
    const success = { retCode: 0, data: data ?? {}, type: 'success' }
    const answer = data instanceof Response ? data : reply(success, 200, cookies, requestId)
    // The page that made the call asks anew for what is old now.
    if (call.topics) answer.headers.set('x-lanward-topics', call.topics.join(' '))
    return answer
  } catch (error) {
    return refused(error, context, requester, cookies)
  }
}
