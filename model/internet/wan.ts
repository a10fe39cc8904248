import * as z from 'zod'
import { ipv4Number, isHostOf, segmentOf } from '../addresses'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(32),
  interface: f.choiceOf('interfaces'),
  connection: f.choice(['kept', 'dhcp', 'static']).default('dhcp'),
  address: f.hostIpv4().optional(),
  prefix: f.prefix4(8).optional(),
  gateway: f.hostIpv4().optional(),
  vlan: f.int(1, 4093, { rule: 'P7' }).optional(),
  vlanPriority: f.int(0, 7, { rule: 'P7' }).optional(),
  nat: f.boolean().default(true),
  metric: f.metric().default(1),
  weight: f.int(1, 10, { rule: 'G17' }).default(1),
  targets: f.lines(f.hostIpv4(), { max: 4 }).default([]),
})
export type Wan = z.output<typeof fields>

const isStatic = ({ connection }: Pick<Wan, 'connection'>) => connection === 'static'
const isOurs = ({ connection }: Pick<Wan, 'connection'>) => connection !== 'kept'
const hasTag = (value: Wan) => isOurs(value) && value.vlan !== undefined

/** Rule P13: the default is the one whose metric ranks highest; another of the same rank takes its place. */
const isDefault = (value: Wan, others: readonly Wan[]): boolean => !others.some(other => other.metric <= value.metric)

/** A way to the internet: its interface, how it is addressed, and its rank among the others. */
export const wan = kind({
  id: 'wan',
  area: 'internet',
  scope: 'network',
  max: limits.wansPerNetwork,
  title: 'name',
  columns: ['name', 'interface', 'connection', 'metric', 'weight', 'nat'],
  fields,
  sections: [
    section('basic', ['name', 'interface']),
    section('connection', [
      'connection',
      field('address', { when: isStatic }),
      field('prefix', { when: isStatic }),
      field('gateway', { when: isStatic }),
      field('vlan', { when: isOurs }),
      field('vlanPriority', { when: hasTag }),
      'nat',
    ]),
    section('failover', ['metric', 'weight', 'targets']),
  ],
  rules: [
    rule('wanTaken', 'interface', (value: Wan, others) =>
      others.every(other => other.interface !== value.interface || other.vlan !== value.vlan),
    ),
    rule('required', 'address', (value: Wan) => !isStatic(value) || value.address !== undefined),
    rule('required', 'prefix', (value: Wan) => !isStatic(value) || value.prefix !== undefined),
    rule('required', 'gateway', (value: Wan) => !isStatic(value) || value.gateway !== undefined),
    // Rule P14.
    rule('gatewaySegment', 'gateway', (value: Wan) => {
      const segment = value.prefix === undefined ? undefined : segmentOf(value.address ?? '', value.prefix)
      const gateway = ipv4Number(value.gateway ?? '')
      if (!segment || gateway === undefined) return true
      return isHostOf(segment, gateway) && gateway !== segment.address
    }),
  ],
  // Rule P13.
  keeps: isDefault,
})
