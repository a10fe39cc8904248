import { abilitiesOf } from '@/server/drivers/abilities'
import { adoptBlocks, assess, uplinks } from '@/server/drivers/assess'
import { ofPlan } from '@/server/drivers/driver'
import { planOrWhy, readingsOf, renderFor, renderInput } from './plans'
import { readingOf } from './polled-device'
import type { CallTable } from './worker-state'

// What follows from a device's last reading; nothing is asked of it.

export const planCalls: CallTable<'render' | 'assess' | 'adopt' | 'uplinks' | 'equal' | 'propose'> = {
  render: ({ poller }, inputs) => inputs.map(input => planOrWhy(() => renderFor(poller.get(input.id), input))),
  assess({ poller }, { id, before, next }) {
    const entry = poller.get(id)
    const observation = readingOf(entry)
    const fleet = () => readingsOf(poller.entries.values(), entry.device.network)
    return observation
      ? assess(entry.driver, ofPlan(abilitiesOf(entry.device), next, before), next, observation, fleet)
      : { cuts: [], interrupted: [] }
  },
  adopt({ poller }, { id, seen, ...plan }) {
    const entry = poller.get(id)
    const input = renderInput(entry, plan)
    return input ? adoptBlocks(entry.driver, input, seen) : seen.map(block => ({ block: block.id, adopted: null }))
  },
  uplinks: ({ poller }, network) => uplinks(readingsOf(poller.entries.values(), network)),
  equal({ drivers }, { driver, pairs }) {
    const { equal } = drivers(driver)
    return pairs.map(([planned, seen]) => equal(planned, seen))
  },
  propose({ poller }, { id, chosen, all, ...plan }) {
    const entry = poller.get(id)
    const input = renderInput(entry, plan)
    return input ? entry.driver.renderers.flatMap(one => one.proposes?.(chosen, all, input) ?? []) : []
  },
}
