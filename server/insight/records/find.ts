import { logsPart } from '@/server/insight/logs/reception'
import type { NetworkContext } from '@/server/kernel/call'
import type { RecordKind } from '@/server/worker/intake/record-table'
import { addressesNamed } from './names'
import { recordedKinds } from './settings'
import { type ShownRecord, shownRecords } from './shown'
import { recordsPart } from './start'

export type Wanted = {
  kind: RecordKind
  /** Days back from now. */
  period: number
  search?: string | undefined
  /** Of this address alone. */
  client?: string | undefined
}
export type FoundPage = { records: ShownRecord[]; next?: number; searchedTo?: number }

const dayMs = 86_400_000

/**
 * Records of the network as pages, newest first; none of a kind that is not recorded, and none that is older than it is
 * kept, though its file is there for as long as its day.
 */
export function recordPages({ runtime, network, now }: NetworkContext, wanted: Wanted) {
  const { kind, period, search, client } = wanted
  const logs = recordsPart.find(runtime)?.logs(network.id)
  const thread = logsPart.find(runtime)
  const isOn = logs !== undefined && thread !== undefined && recordedKinds(logs).includes(kind)
  const from = now - Math.min(period, logs?.keepDays ?? 0) * dayMs
  const text = search?.trim() ? { text: search, clients: addressesNamed(runtime, network.id, search) } : {}
  return async (limit: number, before?: number): Promise<FoundPage> => {
    if (!isOn) return { records: [] }
    const { records, ...rest } = await thread.records({
      ...{ network: network.id, kind, from, limit, ...text },
      ...(client !== undefined && { client }),
      ...(before !== undefined && { before }),
    })
    return { records: shownRecords(runtime, network.id, records), ...rest }
  }
}
