import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { devices, networks } from '@/db/schema'
import { takesSetting } from '@/model/abilities'
import { blockedClient } from '@/model/firewall/blocked'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { type LastPush, lastPushes } from './plan/deployments'
import { type NetworkDocuments, networkDocuments } from './plan/desired'
import { type Engine, type ListedDevice, listedColumns } from './plan/plan'
import { copyOf, givenTo, sourceRows } from './saved/applied-revisions'
import { type AtOnce, type Brought, bringAtOnce, type Waits } from './saved/at-once'

// Who brings what is in force at once to the devices of a network: the call that saved it, and later this, to those that
// were away or busy then.

/** At so many devices at once. */
const beside = 8
/** What has passed a moment later: a session that was just closed, a worker that is just started. */
const passing: ReadonlySet<string> = new Set(['closed', 'busy', 'workerAway'])
const attempts = 4
const pauseMs = 700

type Waiting = { device: ListedDevice; ids: string[] }
const stateOf = ({ rows }: NetworkDocuments, ids: readonly string[]) =>
  ids.map(id => `${id} ${rows.find(row => row.id === id)?.revision ?? ''}`).join()

/** Devices of a network that do not have these documents as they are saved; `is` tells them by id and kind. */
function waitingOn(
  { runtime: { db } }: Engine,
  network: number,
  stored: NetworkDocuments,
  is: (id: string, kind: string) => boolean,
): Waiting[] {
  const rows = db.select(listedColumns).from(devices).where(eq(devices.network, network)).all()
  const pushes = new Map(lastPushes(db, network).map(push => [push.device, push]))
  const kinds = new Map([...stored.rows, ...stored.singles].map(row => [row.id, row.kind]))
  // What is deleted is known by the copy that a push kept of it.
  const kindOf = (id: string, revision: number): string => {
    const kind = kinds.get(id) ?? copyOf(db, id, revision)?.row.kind ?? ''
    kinds.set(id, kind)
    return kind
  }
  return rows
    .filter(device => takesSetting(abilitiesOf(device), blockedClient.id))
    .map(device => ({ device, ids: idsFor(device, pushes.get(device.id), stored, (id, at) => is(id, kindOf(id, at))) }))
    .filter(({ ids }) => ids.length > 0)
}

function idsFor(
  device: ListedDevice,
  push: LastPush | undefined,
  stored: NetworkDocuments,
  is: (id: string, revision: number) => boolean,
): string[] {
  const given = givenTo(push, stored)
  const wanted = new Map(sourceRows(stored, device).map(row => [row.id, row.revision]))
  const ids = new Set([...wanted.keys(), ...Object.keys(given)])
  return [...ids].filter(id => given[id] !== wanted.get(id) && is(id, wanted.get(id) ?? given[id] ?? 0))
}

/** Runs through a list, some at once, until the time is up; answers what came of those that were begun. */
async function eachOf<T, R>(list: readonly T[], until: number, work: (one: T) => Promise<R>): Promise<Map<T, R>> {
  const done = new Map<T, R>()
  const left = [...list]
  const run = async () => {
    for (let one = left.shift(); one !== undefined && Date.now() < until; one = left.shift())
      done.set(one, await work(one))
  }
  await Promise.all(Array.from({ length: beside }, run))
  return done
}

/** Somebody waits for it: what passes in a moment is no answer yet. */
async function bringPatiently(engine: Engine, id: number, stored: NetworkDocuments, of: AtOnce): Promise<Brought> {
  let came = await bringAtOnce(engine, id, stored, of)
  for (let left = attempts - 1; left > 0 && typeof came === 'object' && passing.has(came.reason); left--) {
    await setTimeout(pauseMs)
    came = await bringAtOnce(engine, id, stored, of)
  }
  return came
}

/** What came of it: on how many devices it is in force now, and which do not have it yet, with the reason. */
export type BroughtToAll = { here: number; waits: ({ deviceId: number; name: string } & Waits)[] }

/** Brings documents to all devices of a network that should have them otherwise than they do. Never rejects. */
export async function bringToAll(engine: Engine, network: number, of: AtOnce, forMs: number): Promise<BroughtToAll> {
  const stored = networkDocuments(engine.runtime.db, network)
  const waiting = waitingOn(engine, network, stored, id => of.ids.has(id))
  const there = waiting.filter(({ device }) => device.status === 1)
  const came = await eachOf(there, Date.now() + forMs, ({ device }) => bringPatiently(engine, device.id, stored, of))
  const result = (one: Waiting): Brought => came.get(one) ?? { reason: one.device.status === 1 ? 'later' : 'offline' }
  const told = waiting.map(one => ({ device: one.device, result: result(one) }))
  return {
    here: told.filter(one => one.result === 'here').length,
    waits: told.flatMap(({ device, result }) =>
      typeof result === 'string' ? [] : [{ deviceId: device.id, name: device.name || device.address, ...result }],
    ),
  }
}

/** What a device refuses is tried again after this; one that comes back is tried at once. */
const againMs = 300_000
const isBlock = (_: string, kind: string) => kind === blockedClient.id

/** Brings the block list to who was away when it was saved, or where it was saved elsewhere than among the clients. */
export function startKeepAtOnce(engine: Engine, everyMs = 10_000): () => void {
  const { runtime } = engine
  const { db } = runtime
  /** Network → when it is looked at, unix ms. */
  const due = new Map<number, number>()
  for (const { id } of db.select({ id: networks.id }).from(networks).all()) due.set(id, 0)
  const refused = new Map<number, { state: string; at: number }>()
  const off = runtime.bus.on(({ topic, network }) => {
    if ((topic === 'settings' || topic === 'device') && network !== undefined) due.set(network, 0)
  })
  async function keep(network: number): Promise<void> {
    const stored = networkDocuments(db, network)
    const isTurn = ({ device, ids }: Waiting) => {
      const last = refused.get(device.id)
      return device.status === 1 && !(last?.state === stateOf(stored, ids) && Date.now() < last.at + againMs)
    }
    const waiting = waitingOn(engine, network, stored, isBlock)
    await eachOf(waiting.filter(isTurn), Number.POSITIVE_INFINITY, async ({ device, ids }) => {
      if (engine.stopping.signal.aborted) return
      const came = await bringAtOnce(engine, device.id, stored, {
        ids: new Set(ids),
        kinds: new Set([blockedClient.id]),
      })
      if (typeof came === 'string') refused.delete(device.id)
      // A push in hand ends soon, and says so.
      else if (came.reason !== 'pushing') refused.set(device.id, { state: stateOf(stored, ids), at: Date.now() })
    })
    if (waiting.some(({ device }) => refused.has(device.id)) && !due.has(network))
      due.set(network, Date.now() + againMs)
  }
  runtime.jobs.start({
    id: 'atOnce',
    every: everyMs,
    async run() {
      const now = [...due].filter(([, at]) => at <= Date.now()).map(([network]) => network)
      for (const network of now) {
        due.delete(network)
        await keep(network)
      }
    },
  })
  return off
}
