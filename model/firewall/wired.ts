import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'

const zones = ['lan', 'wan', 'any', 'device'] as const
export const protocols = ['any', 'tcp', 'udp', 'tcpUdp', 'icmp'] as const

const fields = z.strictObject({
  name: f.name(),
  enabled: f.boolean().default(true),
  action: f.choice(['deny', 'reject', 'allow']).default('deny'),
  from: f.choice(zones).default('lan'),
  /** None: every one. */
  fromLan: f.ref('lan').optional(),
  /** Rule P1. */
  sources: f.lines(f.addressOrSegment(), { max: limits.addressesPerRule }).default([]),
  /** Rule N4. */
  macs: f.lines(f.mac(), { max: limits.addressesPerRule, rule: 'N4' }).default([]),
  to: f.choice(zones).default('wan'),
  toLan: f.ref('lan').optional(),
  destinations: f.lines(f.addressOrSegment(), { max: limits.addressesPerRule }).default([]),
  protocol: f.choice(protocols).default('any'),
  /** Rule P2. */
  ports: f.ports().optional(),
  sourcePorts: f.ports().optional(),
  /** Rule G16. None: always. */
  schedule: f.ref('schedule').optional(),
})
export type WiredValues = z.output<typeof fields>

export const hasPorts = ({ protocol }: { protocol: (typeof protocols)[number] }): boolean =>
  protocol === 'tcp' || protocol === 'udp' || protocol === 'tcpUdp'

const versions = (list: readonly string[]) => new Set(list.map(one => (one.includes(':') ? 6 : 4)))

/** Addresses of two lists that no packet can have together: only IPv4 here, only IPv6 there. An empty list means any. */
export const sameVersion = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || [...versions(a)].some(version => versions(b).has(version))

/** What a gateway lets through, out of its own networks, into them, or to itself; the first rule that fits decides. */
export const wiredRule = kind({
  id: 'wiredRule',
  area: 'firewall',
  scope: 'network',
  ordered: true,
  max: limits.firewallRules,
  title: 'name',
  columns: ['enabled', 'name', 'action', 'from', 'to', 'protocol', 'ports'],
  fields,
  sections: [
    section('basic', ['name', 'enabled', 'action']),
    section('source', [
      'from',
      field('fromLan', { when: (value: WiredValues) => value.from === 'lan' }),
      'sources',
      field('macs', { when: (value: WiredValues) => value.from !== 'device' }),
    ]),
    section('destination', [
      'to',
      field('toLan', { when: (value: WiredValues) => value.to === 'lan' }),
      'destinations',
    ]),
    section('service', ['protocol', field('ports', { when: hasPorts }), field('sourcePorts', { when: hasPorts })]),
    section('when', ['schedule']),
  ],
  rules: [
    rule('ruleToItself', 'to', (value: WiredValues) => value.from !== 'device' || value.to !== 'device'),
    rule('addressVersions', 'destinations', (value: WiredValues) => sameVersion(value.sources, value.destinations)),
  ],
})
