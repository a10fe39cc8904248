import { type PlanInput, type Reading, renderAll, unfit } from '@/server/drivers/assess'
import { ownedNow, withReturning } from './imported'
import { reasonOf } from './limits'
import { type PolledDevice, readingOf } from './polled-device'
import type { DevicePlan, WorkerApi } from './protocol'

// What renderers make of documents on one device, by its last reading.

type PlanParts = Omit<Parameters<WorkerApi['render']>[0][number], 'id'>

/** A renderer that breaks stops its own device's plan alone. */
export function planOrWhy(render: () => DevicePlan): ReturnType<WorkerApi['render']>[number] {
  try {
    return { plan: render() }
  } catch (error) {
    const { reason, detail } = reasonOf(error)
    if (reason === 'internal') console.error('plan:', error)
    return { error: { reason, detail } }
  }
}

/** What renderers see of a device; undefined while it was never read whole. */
export function renderInput(
  entry: PolledDevice,
  { documents, windowSeconds, taken }: PlanParts,
): PlanInput | undefined {
  const observation = readingOf(entry)
  const facts = observation?.facts
  return facts && { facts, observation, documents, windowSeconds, imported: ownedNow(taken) }
}

export function renderFor(entry: PolledDevice, input: PlanParts): DevicePlan {
  const { driver } = entry
  const former = input.taken.flatMap(one => driver.ownership?.former(one) ?? [])
  const seen = renderInput(entry, input)
  if (!seen) return { blocks: [], warnings: [], slowSeconds: 0, reverts: driver.reverts, unfit: [], former }
  const rendered = renderAll(driver.renderers, seen)
  const made = { ...rendered, blocks: withReturning(rendered.blocks, input.taken, driver.ownership) }
  const spoken = new Set(made.blocks.map(block => block.item))
  const kinds = input.documents.map(document => document.kind)
  return {
    // What is owned and nobody decides stays as it was.
    blocks: [...made.blocks, ...former.filter(block => !spoken.has(block.item))],
    warnings: made.warnings,
    slowSeconds: made.slowSeconds ?? 0,
    reverts: driver.reverts,
    facts: seen.facts,
    unfit: unfit(driver.renderers, seen.facts, kinds),
    former,
  }
}

/** The last readings of a network's devices. */
export const readingsOf = (entries: Iterable<PolledDevice>, network: number): Reading[] =>
  [...entries].flatMap(entry => {
    const { id, name, target } = entry.device
    const observation = entry.device.network === network ? readingOf(entry) : undefined
    return observation ? [{ id, name, address: target.address, observation }] : []
  })
