import type { NetworkContext } from '@/server/kernel/call'
import { blockedOf, withBlock } from './block-calls'
import { connectedPage, offlineClient } from './shown'

export type ClientNow = ReturnType<typeof withBlock>

/** One client, with what it is judged by: connected, or as it was last seen. Undefined where no device of the network ever saw it. */
export async function clientNow(context: NetworkContext, mac: string): Promise<ClientNow | undefined> {
  const { runtime, network } = context
  const asked = { macs: [mac], page: 1, pageSize: 1 }
  const [client] = (await connectedPage(runtime, network.id, asked, true)).result
  const found = client ?? offlineClient(runtime, network.id, mac)
  return found && withBlock(found, await blockedOf(context))
}
