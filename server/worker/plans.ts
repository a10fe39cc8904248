import { type PlanInput, type Reading, renderAll, unfit } from '@/server/drivers/assess'
import type { Reason, RenderInput } from '@/server/drivers/driver'
import { withManager } from '@/server/drivers/radius-here'
import { importedNow, withReleasing } from './imported'
import { reasonOf } from './limits'
import { type PolledDevice, readingOf } from './polled-device'
import type { DevicePlan, PlanInput as PlanAsked } from './protocol'

// What renderers make of documents on one device, by its last reading.

type PlanParts = Omit<PlanAsked, 'id'>

type PlanOrWhy = { plan: DevicePlan } | { error: { reason: Reason; detail?: string } }

/** The pure part of a plan, or why there is none: a renderer that breaks stops its own device's plan alone. */
export function planOrWhy(render: () => DevicePlan): PlanOrWhy {
  try {
    return { plan: render() }
  } catch (error) {
    const { reason, detail } = reasonOf(error)
    if (reason === 'internal') console.error('plan:', error)
    return { error: { reason, detail } }
  }
}

/** The portal is where the device itself sees the manager; by an address of one link or of the device itself no guest gets there. */
function gateFor({ port, key, api }: NonNullable<PlanParts['portal']>, peer: string | undefined): RenderInput['gate'] {
  if (peer === undefined || /^(?:fe80:|127\.|::1$)/i.test(peer)) return undefined
  return { url: `http://${peer.includes(':') ? `[${peer}]` : peer}:${port}/portal`, key, ...(api && { api }) }
}

/** What renderers see of a device; undefined while it was never read whole. */
export function renderInput(
  entry: PolledDevice,
  { documents, confirmSeconds, country, channels, portal, imported }: PlanParts,
): PlanInput | undefined {
  const observation = readingOf(entry)
  const facts = observation?.facts
  const gate = portal && gateFor(portal, observation?.path?.peer)
  const own = {
    documents: withManager(documents, observation?.path?.peer),
    confirmSeconds,
    ...(country && { country }),
    ...(channels && { channels }),
    ...(gate && { gate }),
  }
  return facts && { facts, observation, ...own, imported: importedNow(imported) }
}

/** Services of a device that has just started come up one by one, and bridges learn who is where. */
const startsForMs = 180_000
/** So long a reading holds in any case: two plans in a row are not worth two readings. */
const freshMs = 10_000

function isUnsettled({ boot, fullAt }: PolledDevice, { observation }: PlanInput): boolean {
  if (Date.now() - fullAt < freshMs) return false
  return fullAt - (boot?.at ?? 0) < startsForMs || (observation.problems?.length ?? 0) > 0
}

export function renderFor(entry: PolledDevice, input: PlanParts): DevicePlan {
  const { driver } = entry
  const former = input.imported.flatMap(one => driver.ownership?.former(one) ?? [])
  const seen = renderInput(entry, input)
  if (!seen)
    return {
      blocks: [],
      warnings: [],
      slowSeconds: 0,
      reverts: driver.reverts,
      unfit: [],
      carries: [],
      former,
      unsettled: true,
    }
  const rendered = renderAll(driver.renderers, seen)
  const made = { ...rendered, blocks: withReleasing(rendered.blocks, input.imported, driver.ownership) }
  const spoken = new Set(made.blocks.map(block => block.item))
  const kinds = input.documents.map(document => document.kind)
  return {
    // What is imported and nobody decides stays as it was.
    blocks: [...made.blocks, ...former.filter(block => !spoken.has(block.item))],
    warnings: made.warnings,
    slowSeconds: made.slowSeconds ?? 0,
    reverts: driver.reverts,
    facts: seen.facts,
    unfit: unfit(driver.renderers, seen.facts, kinds),
    carries: [...new Set([...(rendered.carries ?? []), ...rendered.blocks.flatMap(block => block.document ?? [])])],
    former,
    unsettled: isUnsettled(entry, seen),
  }
}

/** The last readings of a network's devices. */
export const readingsOf = (entries: Iterable<PolledDevice>, network: number): Reading[] =>
  [...entries].flatMap(entry => {
    const { id, name, target } = entry.device
    const observation = entry.device.network === network ? readingOf(entry) : undefined
    return observation ? [{ id, name, address: target.address, observation }] : []
  })
