import type { NativeBlock } from '../driver'
import type { Observation } from '../observation'
import { marked } from '../unix/secret'
import { type Uplink, updateServer } from '../unix/wans'
import { type Package, prefix } from './package'
import { uciBlock } from './uci'
import { deviceOf, networkOf } from './ways'

export const ddns: Package = {
  name: 'ddns',
  reload: '/etc/init.d/ddns restart',
  lists: [],
  secrets: ['password'],
}

/** The interface whose address is told: ours, or the system's on the same device. */
const networkIn = (one: Uplink, seen: Observation | undefined): string =>
  one.connection === 'kept'
    ? (seen?.networks?.find(other => other.device === deviceOf(one))?.name ?? 'wan')
    : networkOf(one)

/** Rule P8: at most one way has it. The scripts put the words in brackets in, encoded for an address. */
export function ddnsBlocks(all: readonly Uplink[], seen: Observation | undefined): NativeBlock[] {
  const one = all.find(way => way.ddns !== 'off')
  if (!one) return []
  const { host, path, secure } = updateServer(one)
  const network = networkIn(one, seen)
  const address = `http${secure ? 's' : ''}://[USERNAME]:[PASSWORD]@${host}${path}?hostname=[DOMAIN]&myip=[IP]`
  return [
    uciBlock(
      `ddns.${prefix}ddns`,
      'service',
      [
        ['enabled', '1'],
        ['use_ipv6', '0'],
        ['update_url', address],
        ['lookup_host', one.ddnsHost],
        ['domain', one.ddnsHost],
        ['username', one.ddnsUser],
        ['password', marked(one.ddnsPassword ?? '')],
        ['use_https', secure ? '1' : '0'],
        ['cacert', secure ? '/etc/ssl/certs' : undefined],
        ['ip_source', 'network'],
        ['ip_network', network],
        ['interface', network],
      ],
      { kind: 'wan', document: one.id },
    ),
  ]
}
