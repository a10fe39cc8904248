import type { NativeBlock } from '../../driver'
import { marked } from '../../unix/secret'
import { updateServer } from '../../unix/wans'
import { type Package, prefix } from '../uci/package'
import { reloadService } from '../uci/reload-service'
import { uciBlock } from '../uci/uci'
import type { DeviceUplink } from './uplinks'

export const ddns: Package = {
  name: 'ddns',
  reload: reloadService('ddns', 'restart'),
  lists: [],
}

/** Rule P8: at most one way has it. The scripts put the words in brackets in, encoded for an address. */
export function ddnsBlocks(all: readonly DeviceUplink[]): NativeBlock[] {
  const one = all.find(way => way.ddns !== 'off')
  if (!one) return []
  const { host, path, secure } = updateServer(one)
  const network = one.network ?? 'wan'
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
