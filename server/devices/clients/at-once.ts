import { type BroughtToAll, bringToAll } from '@/server/devices/change/keep-at-once'
import { enginePart } from '@/server/devices/change/plan/plan'
import type { NetworkContext } from '@/server/kernel/call'

/** So long the answer is waited for; devices that are not asked by then get it later. */
const answerMs = 20_000

/** Brings documents of a kind to all devices now: on how many they are, and which do not have them yet. */
export async function inForce(
  { runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>,
  kind: string,
  ids: readonly string[],
): Promise<BroughtToAll> {
  const engine = enginePart.find(runtime)
  if (!engine || ids.length === 0) return { here: 0, waits: [] }
  return bringToAll(engine, network.id, { ids: new Set(ids), kinds: new Set([kind]) }, answerMs)
}
