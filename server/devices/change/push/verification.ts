import { setTimeout as sleep } from 'node:timers/promises'
import { isDeviceError, type NativeConfig, type Pending } from '@/server/drivers/driver'
import { type DeploymentRow, updateDeployment } from '../plan/deployments'
import { compare, type DeviceRow, type Engine, readDevice } from '../plan/plan'

// The proof of a push: tried over new connections until it holds or the time is over.

/** A confirmation is not sent later than this before the device's own timer: it would race with the revert. */
const marginMs = (row: DeploymentRow) => Math.min(15, row.confirmSeconds / 3) * 1000

/**
 * Why something ended: a key of locales/en/reasons.json, or of `reasons` or `warnings` in change.json. `values` are for its
 * words, with the kind and the document it is about; `detail` is what was said besides, in nobody's language.
 */
export type Why = { reason: string; detail: string; values?: Record<string, string | number> }

const tooLate: Why = { reason: 'tooLate', detail: '' }
const noAnswer: Why = { reason: 'timeout', detail: '' }

export const whyOf = (error: unknown): Why =>
  isDeviceError(error)
    ? { reason: error.reason, detail: error.detail ?? '' }
    : { reason: 'internal', detail: error instanceof Error ? error.message : '' }

export const pause = (engine: Engine) => sleep(engine.retryMs, undefined, { signal: engine.stopping.signal })

const without = (config: NativeConfig, rejected: Pending['rejected'] = []): NativeConfig => ({
  blocks: config.blocks.filter(block => !rejected.some(one => one.block === block.id)),
})

/** Unix ms until which the device can be told to keep what it has. */
export const confirmBy = (row: DeploymentRow) => deadlineOf(row) - marginMs(row)

export const deadlineOf = (row: DeploymentRow) => (row.armedAt ?? 0) + row.confirmSeconds * 1000

/** `stopped`: by the device's own word a service does not run at all, which waiting seldom mends. */
type Tried = { seen: NativeConfig } | { why: Why; stopped?: boolean }

type Sent = { planned: NativeConfig; pending: Pending }

/** One try: a new connection to the device, its facts, its state equal to the plan, and the services really working. */
async function verifyOnce(
  engine: Engine,
  device: DeviceRow,
  { planned, pending: { rejected, move } }: Sent,
  endBy: number,
): Promise<Tried> {
  const { transport } = engine
  const expected = without(planned, rejected)
  try {
    if (move) await transport.relocate({ id: device.id, address: move.to })
    // The new connection is the device's only one from here on: what follows runs over it.
    await transport.facts({ id: device.id, fresh: true, endBy })
    const seen = await readDevice(engine, device.id, { endBy })
    const differs = await compare(engine, device, expected, without(seen, rejected))
    if (differs.length) return { why: { reason: 'readBack', detail: differs.map(block => block.id).join(', ') } }
    const [first] = await transport.verify({ id: device.id, next: expected, endBy })
    if (!first) return { seen }
    const detail = Object.values(first.values ?? {}).join(' ')
    const about = {
      ...(first.kind !== undefined && { aboutKind: first.kind }),
      ...(first.document !== undefined && { aboutDocument: first.document }),
    }
    return { why: { reason: first.code, detail, values: { ...first.values, ...about } }, stopped: first.stopped }
  } catch (error) {
    return { why: whyOf(error) }
  }
}

/** An answer that comes after the device went back proves nothing, neither way: undefined. */
const inTime = <T>(work: Promise<T>, until: number): Promise<T | undefined> =>
  new Promise((done, failed) => {
    const timer = setTimeout(() => done(undefined), Math.max(0, until - Date.now()))
    work.then(done, failed).finally(() => clearTimeout(timer))
  })

/** So long after a try was given up what it asks of the device is ended too: nothing else reaches the device until then. */
const cutOffMs = 100

/** One try may have met a service between two of its starts. */
const stoppedTries = 2

/**
 * Tries until it holds, the device says again that it does not run, a confirmation would come too late, or the push is
 * off (`isOff`). What the device said last stays the reason: a try that is cut off at the end tells nothing new.
 */
export async function verifyPush(
  engine: Engine,
  device: DeviceRow,
  row: DeploymentRow,
  sent: Sent,
  { so, isOff = () => false }: { so?: Why; isOff?: () => boolean } = {},
): Promise<{ seen: NativeConfig } | Why> {
  const until = confirmBy(row)
  let last = so
  let stopped = 0
  while (Date.now() < until && !isOff()) {
    const tried = await inTime(verifyOnce(engine, device, sent, until + cutOffMs), until)
    if (tried && 'seen' in tried) return Date.now() < until ? tried : tooLate
    if (!tried || Date.now() >= until) return last ?? tried?.why ?? noAnswer
    last = tried.why
    updateDeployment(engine.runtime, row.id, { detail: `${last.reason} ${last.detail}`.trim() })
    stopped = tried.stopped ? stopped + 1 : 0
    if (stopped === stoppedTries) return last
    await pause(engine)
  }
  return last ?? tooLate
}
