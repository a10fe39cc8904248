import { randomUUID } from 'node:crypto'
import { limits } from '@/model/limits'
import { hasEmoji } from '@/model/rules'
import { fleetOf } from '@/server/devices/link/fleet'
import { type Credential, DeviceError, isDeviceError, type Reason } from '@/server/drivers/driver'
import type { Facts } from '@/server/drivers/observation'
import type { Runtime } from '@/server/kernel/runtime'
import type { AtAdoption, DriverId } from '@/server/worker/protocol'
import { countRefusal, mayTry } from './login-tries'

// The first half of an adoption: speaks to the device and changes nothing anywhere. Several logins are tried in turn, each
// once; what a refusal says of the others is not tried.

export const adoptSteps = ['reach', 'hostKey', 'login', 'identify', 'read', 'saved'] as const
export type AdoptStep = (typeof adoptSteps)[number]

/** A login for a device: a stored one by its number, or a new one. `name`: what people know it by. */
export type Login = { credential: Credential; credentialId?: number; name: string }

export type AdoptRequest = {
  address: string
  /** Of the first login's protocol; 22 or 161 when absent. */
  port?: number
  /** Tried in this order until one works. */
  logins: readonly Login[]
  /**
   * The fingerprint that a person saw and accepted; `first`: they accept whichever is shown now. Without it adoption
   * stops before anything secret is sent over SSH.
   */
  hostKey?: string
  name?: string
  /** See `Target`. */
  notSelf?: true
}
/** JSON, with the login in clear: never to a browser. */
export type Examined = {
  address: string
  port: number
  credential: Credential
  hostKey: string
  name: string
  driver: DriverId
  facts: Facts
  openLogin: boolean
  /** Absent in what an earlier version kept. */
  imports?: AtAdoption
}
export type AdoptFailure = {
  step: AdoptStep
  /** Key of reasons.json, which also holds the advice. */
  reason: Reason | 'exists' | 'limit' | 'lockOut'
  detail: string
  /** The host key that was seen, for hostKeyUnknown and hostKeyChanged. */
  hostKey?: string
}
/** How one login fared: without `failure` it worked. `tried: false`: `failure` says what kept it from being sent. */
export type LoginTry = { name: string; type: Credential['type']; tried: boolean; failure?: AdoptFailure }
export type Outcome = { tries: LoginTry[] } & ({ examined: Examined; login: Login } | { failure: AdoptFailure })

/** Where an examination is, and with which login of how many. */
export type Place = { step: AdoptStep; login: number; of: number }
type Watch = { signal?: AbortSignal; onStep?: (place: Place) => void }

const protocolOf = ({ type }: Credential) => (type === 'ssh' ? 'ssh' : 'snmp')
const defaultPorts = { ssh: 22, snmp: 161 } as const

/** A name that a device gives itself, as a person could give it. */
const printable = (text: string) =>
  [...text.replace(/[^\P{C}]/gu, '')]
    .filter(character => !hasEmoji(character))
    .join('')
    .trim()
    .slice(0, limits.deviceNameCharacters)

/** Refusals that say nothing of other logins: SNMP agents are silent to a wrong community. */
const isOfLogin = (credential: Credential, { reason }: AdoptFailure): boolean =>
  reason === 'credentials' || reason === 'noView' || (reason === 'timeout' && credential.type !== 'ssh')

/** No other login helps while these last. */
const ofEverything: ReadonlySet<AdoptFailure['reason']> = new Set(['cancelled', 'workerAway', 'internal', 'busy'])

/** One examination as it goes: with which login it is at which step, and the host key that it has seen. */
type Course = { runtime: Runtime; request: AdoptRequest; watch: Watch; step: AdoptStep; seen: string; login: number }

function at(course: Course, step: AdoptStep): void {
  course.step = step
  course.watch.onStep?.({ step, login: course.login, of: course.request.logins.length })
}

function portOf({ port, logins: [first] }: AdoptRequest, credential: Credential): number {
  const protocol = protocolOf(credential)
  const given = first && protocolOf(first.credential) === protocol ? port : undefined
  return given ?? defaultPorts[protocol]
}

/** Ends with `cancelled` as soon as it is cancelled, whatever the device does. */
async function unlessCancelled<T>({ signal }: Watch, work: Promise<T>, stop?: () => void): Promise<T> {
  let cancel: () => void = () => undefined
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => {
      stop?.()
      reject(new DeviceError('cancelled'))
    }
  })
  work.catch(() => undefined)
  cancelled.catch(() => undefined)
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([cancelled, work])
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** The host key, asked for once and judged for each login; empty over SNMP. Rejects where no person accepted it. */
async function hostKeyFor(course: Course, credential: Credential): Promise<string> {
  if (credential.type !== 'ssh') return ''
  const { address, notSelf, hostKey } = course.request
  if (!course.seen) {
    const asked = { address, port: portOf(course.request, credential), notSelf }
    course.seen = (await unlessCancelled(course.watch, fleetOf(course.runtime).ask('fingerprint', asked))).hostKey
  }
  at(course, 'hostKey')
  if (!hostKey) throw new DeviceError('hostKeyUnknown', course.seen)
  if (hostKey !== 'first' && hostKey !== course.seen) throw new DeviceError('hostKeyChanged', course.seen)
  return course.seen
}

/** Logs in with one login and reads the device. Rejects with a DeviceError. */
async function withLogin(course: Course, { credential }: Login): Promise<Examined> {
  const { address, notSelf, name } = course.request
  const port = portOf(course.request, credential)
  const fleet = fleetOf(course.runtime)
  at(course, 'reach')
  const hostKey = await hostKeyFor(course, credential)
  const stopBy = randomUUID()
  const target = { address, port, credential, notSelf, stopBy, ...(hostKey && { hostKey }) }
  const asked = fleet.ask('identify', target, ({ step }) => at(course, step))
  const stop = () => void fleet.ask('stopSearch', stopBy).catch(() => undefined)
  const { facts, driver, openLogin, imports } = await unlessCancelled(course.watch, asked, stop)
  const called = printable(name || facts.hostname || '') || address
  return { address, port, credential, hostKey, name: called, driver, facts, openLogin, imports }
}

function failureOf({ step, seen }: Course, error: unknown): AdoptFailure {
  if (!isDeviceError(error)) throw error
  const { reason, detail = '' } = error as { reason: Reason; detail?: string }
  const key = reason === 'hostKeyUnknown' || reason === 'hostKeyChanged'
  return { step, reason, detail, ...(key && seen && { hostKey: seen }) }
}

/** What is told of the whole: a host key that waits for a person, else the login that came farthest. */
function telling(tries: readonly LoginTry[]): AdoptFailure {
  const failures = tries.flatMap(({ failure, tried }) => (failure && tried ? [failure] : []))
  const all = failures.length > 0 ? failures : tries.flatMap(({ failure }) => failure ?? [])
  const key = all.find(({ hostKey }) => hostKey)
  const farthest = all.toSorted((a, b) => adoptSteps.indexOf(b.step) - adoptSteps.indexOf(a.step))[0]
  return key ?? farthest ?? { step: 'login', reason: 'credentials', detail: '' }
}

/**
 * Reaches a device, checks its host key, logs in by the first of the logins that it takes, finds out what it is and reads
 * it once, telling where it is. Changes nothing on the device. Never rejects for what a device does: each try says at which
 * step and why it failed. A login of several is left out where the device would come near to locking (login-tries.ts).
 */
export async function examine(runtime: Runtime, request: AdoptRequest, watch: Watch = {}): Promise<Outcome> {
  const course: Course = { runtime, request, watch, step: 'reach', seen: '', login: 0 }
  const tries: LoginTry[] = []
  /** Why a protocol has no more to try. */
  const over = new Map<string, AdoptFailure>()
  for (const login of request.logins) {
    course.login += 1
    const { name, credential } = login
    const about = { name, type: credential.type }
    const place = `${request.address}:${portOf(request, credential)}`
    const kept = over.get('all') ?? over.get(protocolOf(credential)) ?? nearLock(course, place, credential)
    if (kept) {
      tries.push({ ...about, tried: false, failure: kept })
      continue
    }
    try {
      const examined = await withLogin(course, login)
      return { tries: [...tries, { ...about, tried: true }], examined, login }
    } catch (error) {
      const failure = failureOf(course, error)
      tries.push({ ...about, tried: true, failure })
      if (isOfLogin(credential, failure)) countRefusal(runtime, place, credential)
      else over.set(ofEverything.has(failure.reason) ? 'all' : protocolOf(credential), failure)
    }
  }
  return { tries, failure: telling(tries) }
}

function nearLock({ runtime, request }: Course, place: string, credential: Credential): AdoptFailure | undefined {
  if (request.logins.length === 1 || mayTry(runtime, place, credential)) return undefined
  return { step: 'login', reason: 'lockOut', detail: '' }
}
