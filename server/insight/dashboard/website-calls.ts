import * as z from 'zod'
import { rangeOf } from '@/server/history/tiers'
import { logsPart } from '@/server/insight/logs/reception'
import { recordsPart } from '@/server/insight/records/start'
import { call } from '@/server/kernel/call'
import { most, range, reading } from './reading'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const topWebsites = call({
  ...reading,
  path: 'dashboard/top-websites',
  // What the URL records say of all clients together is for who may see them.
  authority: 'records',
  input: z.strictObject({ range, most }),
  /**
   * Sites whose names clients looked up in the range, most first: a site is the registered name (`example.com` of
   * `www.example.com`), `lookups` counts questions for its addresses. `since`, unix ms: the hour it begins with; records are
   * kept for so long, and a longer range begins there. `on`: whether the network's URL log is; without it nothing is known.
   */
  async run({ runtime, network, now }, input) {
    const logs = recordsPart.find(runtime)?.logs(network.id)
    const thread = logsPart.find(runtime)
    if (!logs?.urlLog || !thread) return { on: false, result: [] }
    const ms = Math.min(rangeOf[input.range].seconds * 1000, logs.keepDays * dayMs)
    const since = Math.floor((now - ms) / hourMs) * hourMs
    const result = await thread.sites({ network: network.id, from: since, most: input.most })
    return { on: true, since, result }
  },
})
