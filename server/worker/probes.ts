import { discover, greet, openChannel } from '@/server/drivers/snmp/transport'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import type { Probes } from './sweep'

const text = (value: unknown) =>
  Buffer.isBuffer(value)
    ? value
        .toString('utf8')
        .replace(/[^\P{C}]/gu, '')
        .slice(0, 255)
    : undefined

/** Description and name of what takes one of the communities. */
async function byCommunity(address: string, communities: readonly string[]) {
  for (const community of communities) {
    const channel = await openChannel({ address, port: 161, credential: { type: 'snmp2c', community } })
    try {
      const said = await greet(channel)
      return { description: text(said.get('1.3.6.1.2.1.1.1.0')?.value) }
    } catch {
      // Not this one, or nobody there: a silent agent and a wrong community look the same.
    } finally {
      channel.close()
    }
  }
  return undefined
}

/** What a sweep knocks with: no login, and a community only where a person gave one. */
export const probes: Probes = {
  ssh: fingerprint,
  async snmp(address, communities) {
    const engine = await discover(address)
    const greeted = communities.length ? await byCommunity(address, communities) : undefined
    if (!engine && !greeted) return undefined
    const versions = [...(greeted ? (['v2c'] as const) : []), ...(engine ? (['v3'] as const) : [])]
    return { versions, ...greeted }
  },
}
