import { portForward } from '@/model/firewall/forward'
import { wiredRule } from '@/model/firewall/wired'
import { wirelessRule } from '@/model/firewall/wireless'
import { check, type Data, type Kind } from '@/model/kind'
import { bandwidthRule } from '@/model/traffic/bandwidth'
import type { DesiredDocument } from '@/server/drivers/driver'
import { fc } from '../_property'

const awkward = ['"', "'", '$(reboot)', '`id`', '\\', '😀', '\u202E', '\u200F', '#', '{', '}', ';', '%', 'é', ' ', 'x']
const name = fc.array(fc.constantFrom(...awkward), { minLength: 1, maxLength: 20 }).map(parts => parts.join(''))
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '0.0.0.0/0', '::/0', '2001:db8::/32', '2001:db8::/33', '192.0.2.7/32'),
)
const mac = fc.uint8Array({ minLength: 6, maxLength: 6 }).map(bytes => Buffer.from(bytes).toString('hex'))
const ports = fc.constantFrom('1', '65535', '80,443', '1-65535', '22,80-90,443,8000-8001')
const zone = fc.constantFrom('lan', 'wan', 'any', 'device')

const wired = fc.record(
  {
    name,
    action: fc.constantFrom('allow', 'deny', 'reject'),
    from: zone,
    to: zone,
    sources: fc.uniqueArray(address, { maxLength: 5 }),
    destinations: fc.uniqueArray(address, { maxLength: 5 }),
    macs: fc.uniqueArray(mac, { maxLength: 3 }),
    protocol: fc.constantFrom('any', 'tcp', 'udp', 'tcpUdp', 'icmp'),
    ports,
    sourcePorts: ports,
  },
  { requiredKeys: ['name'] },
)

/** What the call would take: the values as stored, or none. */
function accepted(kind: Kind, data: Data): Data[] {
  const checked = check(kind, data)
  return 'data' in checked ? [checked.data] : []
}

const forward = fc.record(
  {
    name,
    protocol: fc.constantFrom('tcp', 'udp', 'tcpUdp'),
    ports,
    address: fc.ipV4(),
    innerPort: fc.integer({ min: 1, max: 65_535 }),
    sources: fc.uniqueArray(address, { maxLength: 3 }),
  },
  { requiredKeys: ['name', 'ports', 'address'] },
)

const wireless = fc.record(
  {
    name,
    action: fc.constantFrom('allow', 'deny'),
    macs: fc.uniqueArray(mac, { maxLength: 3 }),
    destinations: fc.uniqueArray(address, { maxLength: 5 }),
    protocol: fc.constantFrom('any', 'tcp', 'udp', 'tcpUdp', 'icmp'),
    ports,
  },
  { requiredKeys: ['name'] },
)

const bandwidth = fc.record(
  {
    name,
    target: fc.constantFrom('client', 'address'),
    mac,
    address,
    download: fc.constantFrom('1 Kbps', '999 Mbps'),
    upload: fc.constantFrom('999 Kbps', '1 Mbps'),
  },
  { requiredKeys: ['name', 'target'] },
)
/** What a person fills in: only the field that belongs to the target. */
const aimed = ({ mac, address, ...rest }: Record<string, unknown>) =>
  rest.target === 'client' ? { ...rest, mac } : { ...rest, address }

const documentsOf = (kind: Kind, list: unknown[]): DesiredDocument[] =>
  list
    .flatMap(data => accepted(kind, data as Data))
    .map((data, at) => ({ id: `${kind.id}-${at}`, kind: kind.id, name: '', data }))

const firewall = fc.tuple(
  fc.array(wired, { minLength: 40, maxLength: 60 }),
  fc.array(forward, { minLength: 20, maxLength: 30 }),
  fc.array(bandwidth.map(aimed), { minLength: 20, maxLength: 30 }),
  fc.array(wireless, { minLength: 40, maxLength: 60 }),
)

/** Networks full of rules that the manager takes, the same for the same seed. */
export const randomFirewalls = (count: number, seed: number): DesiredDocument[][] =>
  fc
    .sample(firewall, { numRuns: count, seed })
    .map(([rules, forwards, limits, onAir]) => [
      ...documentsOf(wiredRule, rules),
      ...documentsOf(portForward, forwards),
      ...documentsOf(bandwidthRule, limits),
      ...documentsOf(wirelessRule, onAir),
      { id: 'ssid', kind: 'ssid', name: '', data: { name: 'Air', security: 'open' } },
    ])
