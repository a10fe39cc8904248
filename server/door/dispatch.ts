import { randomUUID } from 'node:crypto'
import { type CodeName, codes } from '@/model/codes'
import { limits } from '@/model/limits'
import type { AnyCall, BaseContext, CookieOptions } from '@/server/kernel/call'
import { cookieLine, readCookie } from '@/server/kernel/cookies'
import { fail, isRefusal } from '@/server/kernel/fail'
import { isLoopback, remoteAddress } from '@/server/kernel/remote'
import { type Runtime, runtimeIfReady } from '@/server/kernel/runtime'
import { findSession, sessionCookie } from '@/server/people/accounts/sessions'
import { actorByKey, bearerOf } from '@/server/people/keys/keys'
import { checkAuthority, type Requester, runCall } from './authorize'
import { calls } from './calls'

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

/** Body bytes, at most so many whatever Content-Length says. */
async function readBody(request: Request, most: number): Promise<string> {
  if (!request.body) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > most) fail('bodyTooLarge')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

async function readInput(call: AnyCall, request: Request): Promise<Record<string, unknown>> {
  if (request.method === 'GET' || call.body === 'stream') return Object.fromEntries(new URL(request.url).searchParams)
  const text = await readBody(request, call.authority === 'open' ? limits.openBodyBytes : limits.bodyBytes)
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

type Failure = { status: number; body: Record<string, unknown>; retryAfter?: number }

const statuses: Partial<Record<CodeName, number>> = {
  sessionExpired: 401,
  keyInvalid: 401,
  personOnly: 403,
  apiOff: 403,
  sameOriginOnly: 403,
  notFoundCall: 404,
  bodyTooLarge: 413,
}

function failure(error: unknown, requestId: string): Failure {
  if (isRefusal(error)) {
    const body = { retCode: error.retCode, data: error.data, type: 'error' }
    // A script is told in the words of HTTP when to come back; `retryAfter` is its seconds.
    const { retryAfter } = error.data
    if (typeof retryAfter === 'number') return { status: 429, body, retryAfter }
    return { status: statuses[error.code] ?? 200, body }
  }
  if (
    error instanceof Error &&
    /SQLITE_FULL|ENOSPC|SQLITE_READONLY|EROFS|SQLITE_IOERR/.test(
      `${(error as { code?: string }).code} ${error.message}`,
    )
  ) {
    console.error(`request ${requestId}:`, error.message)
    return { status: 200, body: { retCode: codes.storageFull, data: { requestId }, type: 'error' } }
  }
  console.error(`request ${requestId}:`, error)
  return { status: 200, body: { retCode: codes.unknownError, data: { requestId }, type: 'error' } }
}

/** Who asks: a key where one is given, whatever else is; else the session, whose browser proves that no other site sent it. */
async function askerOf(call: AnyCall, context: BaseContext): Promise<Requester | undefined> {
  const { runtime, request } = context
  const key = bearerOf(request)
  if (key !== undefined) return actorByKey(context, call, key)
  if (call.changes && call.body !== 'form') checkOrigin(request)
  const background = request.headers.get('x-lanward-background') === '1'
  const cookie = context.cookie(sessionCookie(context.secure))
  return findSession(runtime, cookie, !background, context.address)
}

/** For so long after it was asked for, what somebody may do is taken as it was. */
const staleMs = 250

/** ready → method → key, or origin and session → authority → network → input → run. */
async function perform(call: AnyCall, context: BaseContext): Promise<unknown> {
  const { request } = context
  if (request.method === 'GET' ? !call.get : request.method !== 'POST') fail('methodNotAllowed')
  const asked = await askerOf(call, context)
  checkAuthority(call, asked)
  const input = await readInput(call, request)
  if (Date.now() - context.now <= staleMs) return runCall(call, context, asked, input)
  // Whoever was let out meanwhile must not act by a request whose end they held back.
  const asker = await askerOf(call, context)
  checkAuthority(call, asker)
  return runCall(call, context, asker, input)
}

/** Answers one request at the one door. Never throws, never 5xx: unknown errors are logged with the request's id. */
export async function dispatch(path: string, request: Request): Promise<Response> {
  const requestId = randomUUID()
  const cookies: string[] = []
  const runtime = runtimeIfReady()
  if (!runtime) return reply({ retCode: codes.notReady, data: {}, type: 'error' }, 503, [], requestId)
  const call = byPath.get(path)
  if (!call) return reply({ retCode: codes.notFoundCall, data: { path }, type: 'error' }, 404, [], requestId)
  try {
    const data = await perform(call, baseContext(runtime, request, requestId, cookies))
    if (data instanceof Response) return data
    return reply({ retCode: 0, data: data ?? {}, type: 'success' }, 200, cookies, requestId)
  } catch (error) {
    const { status, body, retryAfter } = failure(error, requestId)
    const answer = reply(body, status, cookies, requestId)
    if (retryAfter !== undefined) answer.headers.set('retry-after', String(retryAfter))
    return answer
  }
}
