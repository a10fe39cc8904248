import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { trySignIn } from './ask'
import { radiusFiles, radiusNetworksOf } from './desired'
import { isSupervised, putFiles } from './folder'
import { putOutUsers } from './put-out'
import type { Person } from './render'
import { readAccounts, trimSessions } from './sessions'

/** What people do acts at once; what devices tell of themselves comes often and seldom means anything here. */
const soonMs = 100
const laterMs = 3000
/** Certificates end, and what another program did to the files is undone. */
const everyMs = 3_600_000
const accountsMs = 5_000

type Here = {
  busy: Promise<void>
  timer?: NodeJS.Timeout
  due: number
  /** Who could sign in when the files were made last; absent before the first time. */
  people?: readonly Person[]
  /** Whoever is being put out. */
  putting: Promise<void>
  closed?: true
}
const here = part<Here>('radiusHere', () => ({
  busy: Promise.resolve(),
  due: Number.POSITIVE_INFINITY,
  putting: Promise.resolve(),
}))

async function renew(runtime: Runtime): Promise<void> {
  const { radius } = runtime.config
  if (!isSupervised(radius)) return
  const own = here.of(runtime)
  const before = own.people
  const { files, people, mark } = await radiusFiles(runtime, Date.now())
  putFiles(radius, files)
  own.people = people
  const gone = before && whoLost(before, people)
  if (gone && gone.size > 0)
    own.putting = Promise.all([own.putting, putGone(runtime, gone, mark)])
      .then(() => undefined)
      .catch(error => console.error('RADIUS server:', error))
}

/** Users who can sign in no more as they did, or would come into another VLAN, by network. A network that is off is left alone. */
export function whoLost(before: readonly Person[], now: readonly Person[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  const kept = new Map(now.map(one => [one.id, one]))
  const lost = (was: Person, is: Person | undefined) =>
    is === undefined ||
    is.name !== was.name ||
    is.vlan !== was.vlan ||
    (was.password !== undefined && is.password !== was.password) ||
    was.serials.some(serial => !is.serials.includes(serial))
  for (const was of before)
    if (lost(was, kept.get(was.id))) found.set(was.network, (found.get(was.network) ?? new Set()).add(was.id))
  return found
}

/** Who was put out asks anew at once: the server has to know by then. */
const readMs = 10_000
const lookMs = 100

async function putGone(runtime: Runtime, gone: ReadonlyMap<number, ReadonlySet<string>>, mark: string): Promise<void> {
  const on = new Set(radiusNetworksOf(runtime).map(one => one.id))
  const those = [...gone].filter(([network]) => on.has(network))
  if (those.length === 0) return
  for (const until = Date.now() + readMs; Date.now() < until && !here.of(runtime).closed; ) {
    if ((await trySignIn(runtime, 0, { name: mark, password: mark })).outcome === 'accepted') break
    await new Promise(next => setTimeout(next, lookMs))
  }
  await Promise.all(those.map(([network, users]) => putOutUsers(runtime, network, users)))
}

/** Gives FreeRADIUS what it decides by, one after the other. */
export function renewRadius(runtime: Runtime): Promise<void> {
  const own = here.of(runtime)
  own.busy = own.busy.then(() => renew(runtime)).catch(error => console.error('RADIUS server:', error))
  return own.busy
}

function within(runtime: Runtime, ms: number): void {
  const own = here.of(runtime)
  const due = Date.now() + ms
  if (due >= own.due) return
  clearTimeout(own.timer)
  own.due = due
  own.timer = setTimeout(() => {
    own.due = Number.POSITIVE_INFINITY
    void renewRadius(runtime)
  }, ms).unref()
}

const soon: ReadonlySet<string> = new Set(['settings'])
const later: ReadonlySet<string> = new Set(['devices', 'networks', 'networkMoved'])

export async function startRadius(runtime: Runtime): Promise<void> {
  const off = runtime.bus.on(({ topic }) => {
    if (soon.has(topic)) within(runtime, soonMs)
    else if (later.has(topic)) within(runtime, laterMs)
  })
  runtime.closers.push(() => {
    off()
    const own = here.of(runtime)
    own.closed = true
    clearTimeout(own.timer)
    return Promise.all([own.busy, own.putting]).then(() => undefined)
  })
  runtime.jobs.start({
    id: 'radius',
    every: everyMs,
    run: async one => {
      trimSessions(one, Date.now())
      await renewRadius(one)
    },
  })
  if (isSupervised(runtime.config.radius))
    runtime.jobs.start({ id: 'radius-accounts', every: accountsMs, run: readAccounts })
  await renewRadius(runtime)
}
