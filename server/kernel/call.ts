import type * as z from 'zod'
import type { Authorities, Authority } from '@/model/authority'
import type { LogAction, LogObject } from './changelog'
import type { Runtime } from './runtime'

export type Scope = 'none' | 'organization' | 'network'

export type Actor = {
  id: number
  account: string
  organization: number
  role: string
  /** What they may do, and in which networks of their organization (server/people/access/access.ts). */
  authorities: Authorities
  networks: 'all' | ReadonlySet<number>
  session: string
  network: number | null
  /** Of the API key that acts in the account's name. */
  key?: number
}
export type CookieOptions = { maxAgeSeconds?: number; path?: string }

/** What every call gets besides its input. */
export type BaseContext = {
  runtime: Runtime
  request: Request
  requestId: string
  /** Peer's address as the socket saw it; `loopback` is true for 127/8 and ::1. */
  address: string
  loopback: boolean
  /** True over https. */
  secure: boolean
  now: number
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options?: CookieOptions): void
  clearCookie(name: string): void
}
export type OrganizationContext = BaseContext & {
  actor: Actor
  /** Writes one entry to the changelog; call it inside the transaction that makes the change. */
  log(entry: {
    action: LogAction
    object: LogObject
    name: string
    network?: number
    fields?: Record<string, [unknown, unknown]>
    /** Of a settings document: its id, and its secrets as they were before, sealed as in its row. */
    document?: string
    kept?: Record<string, string>
  }): void
}
export type NetworkContext = OrganizationContext & {
  network: { id: number; name: string; timezone: string; country: string }
}
export type ContextOf<S extends Scope> = S extends 'network'
  ? NetworkContext
  : S extends 'organization'
    ? OrganizationContext
    : BaseContext & { actor?: Actor }

export type Call<P extends string = string, I extends z.ZodType = z.ZodType, O = unknown, S extends Scope = Scope> = {
  path: P
  /** `open`: nobody need be signed in. `session`: anybody signed in. Else the authority a role must hold. */
  authority: Authority | 'open' | 'session'
  /** Any of these does as well. */
  also?: readonly Authority[]
  /**
   * `network`: the call takes an optional `networkId` beside its own input (else the session's active network is
   * meant) and gets it checked as `context.network`. One that the person does not enter answers as if it did not exist.
   */
  scope: S
  /** Whether it changes state: then it needs X-Requested-With and, where sent, an Origin equal to Host. */
  changes: boolean
  /** Also answers GET with the query as input (exports, and the GET calls of the specification). */
  get?: boolean
  /**
   * `stream`: the body is not JSON and not read; the query is the input, `context.request.body` the bytes. `form`: an HTML
   * form that another site's page posts, which no header and no Origin can prove: the call itself must trust nothing of it.
   */
  body?: 'json' | 'stream' | 'form'
  input: I
  run(context: ContextOf<S>, input: z.output<I>): O | Promise<O>
}

/**
 * One call of the manager: POST /app/<path> → `{retCode: 0, data, type}`. `run` returns the data, or a `Response` for
 * downloads and streams; it refuses by `fail()` (server/kernel/fail.ts). List it in its area's `calls` and in server/door/calls.ts.
 */
export function call<const P extends string, I extends z.ZodType, O, const S extends Scope>(
  spec: Call<P, I, O, S>,
): Call<P, I, O, S> {
  return spec
}

/** A call whose types are forgotten, as the dispatcher handles it. */
export type AnyCall = Omit<Call, 'run'> & { run(context: never, input: never): unknown }
