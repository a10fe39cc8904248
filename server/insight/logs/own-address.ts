import { lookup } from 'node:dns/promises'
import { connectDatagrams } from '@/server/kernel/datagrams'

/**
 * The address of this machine from which it reaches a device: where the device in turn sends to. Nothing is sent.
 * undefined: no route leads there.
 */
export async function ownAddressTowards(address: string): Promise<string | undefined> {
  try {
    const { address: target } = await lookup(address)
    const socket = await connectDatagrams(target, 9)
    try {
      return socket.address().address
    } finally {
      socket.close()
    }
  } catch {
    return undefined
  }
}
