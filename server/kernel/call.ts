import type * as z from 'zod'
import type words from '@/locales/en/openapi.json'
import type { Authorities, Authority } from '@/model/authority'
import type { BusEvent } from './bus'
import type { LogAction, LogFields, LogObject } from './changelog'
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
  /** The client's, or `via ADDRESS` of a proxy that does not tell it; `loopback`: it is this machine itself. */
  address: string
  loopback: boolean
  /** True over https. */
  secure: boolean
  now: number
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options?: CookieOptions): void
  clearCookie(name: string): void
}
export type OrganizationContext = BaseContext & { actor: Actor }
/** What a call gets whose `changelog` is `entry` or `elsewhere`. */
export type Logging = {
  /** Writes one entry to the changelog; call it inside the transaction that makes the change. */
  log(entry: {
    action: LogAction
    object: LogObject
    name: string
    network?: number
    fields?: LogFields
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

/**
 * What the changelog has of a call. `entry`: what it writes by `context.log`, or an entry of its name where it wrote none.
 * `elsewhere`: an entry that is written where what it began ends. Nothing of what concerns the reader's `own` browser
 * alone, or `looks` at a device or the network and stores nothing that a person decided.
 */
export type Changelog = 'entry' | 'elsewhere' | 'own' | 'looks'
/**
 * What a browser does when it is to send the same once more while the first is on its way: `once` replaces the first, so
 * that a second click does nothing twice; `each` sends both. `keepalive` sends both, and also when the page is
 * left: what shows at once and is stored behind it is taken for done.
 */
export type Sending = 'once' | 'each' | 'keepalive'
export type Tag = keyof typeof words.tags

/** What pages show is about: what the bus tells all of them, and what only the page hears on which a call was made. */
export type Topic =
  | Exclude<BusEvent['topic'], 'signedOut' | 'networkMoved' | 'networkGone' | 'vouchersChanged'>
  | 'keys'
  | 'changelog'
  | 'certificate'
  | 'directory'
  | 'provider'
  | 'dashboards'
  | 'metrics'
  | 'feedback'
  | 'guide'
/** Why nothing is old after a call: the browser leaves the page, or no page shows what it changes from an answer. */
export type Unheard = 'leaves' | 'unseen'

export type Call<
  P extends string = string,
  I extends z.ZodType = z.ZodType,
  O = unknown,
  S extends Scope = Scope,
  L extends Changelog = Changelog,
> = {
  path: P
  /** The area under which the description of the API lists it; its sentence stands in locales/en/openapi.json. */
  tag: Tag
  /** `open`: nobody need be signed in. `session`: anybody signed in. Else the authority a role must hold. */
  authority: Authority | 'open' | 'session'
  /** Any of these does as well. */
  also?: readonly Authority[]
  /** Gives out a file of what can be read: beside the authority the right to export is needed. */
  exports?: true
  /**
   * `network`: the call takes an optional `networkId` beside its own input (else the session's active network is
   * meant) and gets it checked as `context.network`. One that the person does not enter answers as if it did not exist.
   */
  scope: S
  /** Whether it changes state: then it needs X-Requested-With and, where sent, an Origin equal to Host. */
  changes: boolean
  changelog?: L
  /** After it, where it succeeds, everything is old that is about these. */
  topics?: readonly Topic[]
  unheard?: Unheard
  send?: Sending
  /** How long a browser waits for the answer; 30 without. */
  seconds?: number | 'unlimited'
  /** Of a call that anybody signed in may make, and an API key, too. Elsewhere a key may what its authorities let it. */
  keys?: true
  /** Also answers GET with the query as input (exports, and the GET calls of the specification). */
  get?: boolean
  /**
   * `stream`: the body is not JSON and not read; the query is the input, `context.request.body` the bytes. `form`: an HTML
   * form that another site's page posts, which no header and no Origin can prove: the call itself must trust nothing of it.
   */
  body?: 'json' | 'stream' | 'form'
  /** The most that a body may have where it is a `stream`; others have 1 MB. */
  uploadBytes?: number
  input: I
  run(context: ContextOf<S> & (L extends 'entry' | 'elsewhere' ? Logging : unknown), input: z.output<I>): O | Promise<O>
}

/** What a call must say of itself, by what it is. */
type Stated = (
  | { changes: false; send?: never }
  | { authority: 'open'; changes: true; changelog?: never; send: Sending }
  | { authority: Authority | 'session'; changes: true; changelog: Changelog; send: Sending }
) &
  // That it has no topics is a test's (news.test.ts): who spreads `send` would be taken for a reading call here.
  (
    | { changes: false; unheard?: never }
    | { changes: true; topics: readonly Topic[]; unheard?: never }
    | { changes: true; topics?: never; unheard: Unheard }
  ) &
  ({ keys?: never } | { authority: 'session'; keys: true }) &
  ({ body?: 'json' | 'form'; uploadBytes?: never } | { body: 'stream'; uploadBytes: number })

/**
 * One call of the manager: POST /app/<path> → `{retCode: 0, data, type}`. `run` returns the data, or a `Response` for
 * downloads and streams; it refuses by `fail()` (server/kernel/fail.ts). List it in its area's `calls` and in server/door/calls.ts.
 */
export function call<
  const P extends string,
  I extends z.ZodType,
  O,
  const S extends Scope,
  const L extends Changelog = 'own',
>(spec: Call<P, I, O, S, L> & Stated): Call<P, I, O, S, L> {
  return spec
}

/**
 * A call whose types are forgotten, as the dispatcher handles it: what goes into `run` fits the call's own scope and input,
 * which `runCall` has made of them; no type can say so of all calls at once, so there, and only there, it is `as never`.
 */
export type AnyCall = Omit<Call, 'run'> & { run(context: never, input: never): unknown }
