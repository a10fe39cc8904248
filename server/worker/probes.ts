import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { SnmpVersion } from '@/model/found-host'
import { announcements } from '@/server/drivers/announce/listen'
import { discover, get, greet, openChannel } from '@/server/drivers/snmp/protocol/transport'
import { fingerprint } from '@/server/drivers/ssh/ssh'
import { macOwners } from './mac-vendors'
import type { Greeted, Probes, SnmpLogin } from './sweep'

const text = (value: unknown) =>
  Buffer.isBuffer(value)
    ? value
        .toString('utf8')
        .replace(/[^\P{C}]/gu, '')
        .slice(0, 255) || undefined
    : undefined

/** A sweep goes by thousands of addresses where nobody is. */
const knock = [
  { milliseconds: 1500, connected: true },
  { milliseconds: 2500, connected: true },
]
const systemName = '1.3.6.1.2.1.1.5.0'
const versions = { snmp1: 'v1', snmp2c: 'v2c', snmp3: 'v3' } as const satisfies Record<SnmpLogin['type'], SnmpVersion>

/** What an agent shows of itself to the first of these logins that it takes. */
async function byLogin(address: string, logins: readonly SnmpLogin[]): Promise<Greeted | undefined> {
  for (const credential of logins) {
    const channel = await openChannel({ address, port: 161, credential })
    try {
      const said = await greet(channel, knock)
      const name = text((await get(channel, [systemName], knock)).get(systemName)?.value)
      const objectId = said.get('1.3.6.1.2.1.1.2.0')?.value
      return {
        versions: [versions[credential.type]],
        description: text(said.get('1.3.6.1.2.1.1.1.0')?.value),
        ...(name && { name }),
        ...(typeof objectId === 'string' && { objectId }),
      }
    } catch {
      // Not this one, or nobody there: a silent agent and a wrong community look the same.
    } finally {
      channel.close()
    }
  }
  return undefined
}

const listenMs = 3_500

const number = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

/** This machine's IPv4 addresses on segments that some of these addresses are on: a question there crosses no router. */
function ownBeside(addresses: readonly string[]): string[] {
  const numbers = addresses.filter(isIPv4).map(number)
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return own.flatMap(({ address, family, internal, cidr }) => {
    if (family !== 'IPv4' || internal || !cidr) return []
    const size = 2 ** (32 - Number(cidr.split('/')[1]))
    const segment = Math.floor(number(address) / size)
    return numbers.some(one => Math.floor(one / size) === segment) ? [address] : []
  })
}

/** What a sweep knocks with: no login, but for SNMP those that a person chose for it. */
export const probes: Probes = {
  ssh: fingerprint,
  async name(address) {
    const resolver = new Resolver({ timeout: 800, tries: 1 })
    const [name] = await resolver.reverse(address).catch(() => [])
    return name?.replace(/[^\P{C}]/gu, '').slice(0, 255) || undefined
  },
  async snmp(address, logins) {
    const engine = await discover(address)
    const tried = logins.filter(login => login.type !== 'snmp3' || engine)
    const greeted = await byLogin(address, tried)
    if (!engine) return greeted
    return { ...greeted, versions: [...new Set([...(greeted?.versions ?? []), 'v3' as const])] }
  },
  announcements: (addresses, signal) =>
    announcements({ from: ownBeside(addresses), wanted: new Set(addresses), milliseconds: listenMs, signal }),
  macOwners,
}
