import { type Assessment, adoptBlocks, assess, uplinks } from '@/server/drivers/assess'
import { type Adopted, type NativeBlock, type NativeConfig, ofPlan } from '@/server/drivers/driver'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '@/server/drivers/unmanaged'
import { planOrWhy, readingsOf, renderFor, renderInput } from './plans'
import { readingOf } from './polled-device'
import type { DriverId, PlanInput } from './protocol'
import type { CallTable } from './worker-state'

// What follows from a device's last reading; nothing is asked of it.

export const planCalls = {
  render: ({ poller }, inputs: PlanInput[]) =>
    inputs.map(input => planOrWhy(() => renderFor(poller.get(input.id), input))),
  /** Whom a push would interrupt, and whether it cuts the manager's own way; by the last reading. */
  assess({ poller }, { id, before, next }: { id: number; before: NativeConfig; next: NativeConfig }): Assessment {
    const entry = poller.get(id)
    const observation = readingOf(entry)
    const fleet = () => readingsOf(poller.entries.values(), entry.device.network)
    return observation
      ? assess(entry.driver, ofPlan(abilitiesOf(entry.device), next, before), next, observation, fleet)
      : { cuts: [], interrupted: [] }
  },
  /** For each of these blocks of the device what the documents have to say for it; null where they cannot. */
  adopt(
    { poller },
    { id, seen, ...plan }: PlanInput & { seen: NativeBlock[] },
  ): { block: string; adopted: Adopted[] | null }[] {
    const entry = poller.get(id)
    const input = renderInput(entry, plan)
    return input ? adoptBlocks(entry.driver, input, seen) : seen.map(block => ({ block: block.id, adopted: null }))
  },
  /** Pairs of managed devices of a network: one, and the one its way to the manager goes through. */
  uplinks: ({ poller }, network: number): [device: number, parent: number][] =>
    uplinks(readingsOf(poller.entries.values(), network)),
  /** For each pair whether the device's state counts as the planned one. */
  equal({ drivers }, { driver, pairs }: { driver: DriverId; pairs: [NativeBlock, NativeBlock][] }): boolean[] {
    const { equal } = drivers(driver)
    return pairs.map(([planned, seen]) => equal(planned, seen))
  },
  /** Which documents say the same as the chosen options. */
  propose(
    { poller },
    { id, chosen, all, ...plan }: PlanInput & { chosen: ImportedItem[]; all: UnmanagedItem[] },
  ): ImportProposal[] {
    const entry = poller.get(id)
    const input = renderInput(entry, plan)
    return input ? entry.driver.renderers.flatMap(one => one.proposes?.(chosen, all, input) ?? []) : []
  },
} satisfies CallTable
