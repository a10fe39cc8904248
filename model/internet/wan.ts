import * as z from 'zod'
import { ipv4Number, isHostOf, segmentOf } from '../addresses'
import { f } from '../fields'
import { deviceRule, field, kind, rule, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(32),
  interface: f.choiceOf('interfaces'),
  connection: f.choice(['kept', 'dhcp', 'static', 'pppoe']).default('dhcp'),
  address: f.hostIpv4().optional(),
  prefix: f.prefix4(8).optional(),
  gateway: f.hostIpv4().optional(),
  user: f.name(64).optional(),
  password: f.secret(1, 128).optional(),
  service: f.text(64).optional(),
  // RFC 2516 section 7: PPPoE takes 8 of Ethernet's 1500 bytes.
  mtu: f.int(576, 1492).default(1492),
  vlan: f.int(1, 4093, { rule: 'P7' }).optional(),
  vlanPriority: f.int(0, 7, { rule: 'P7' }).optional(),
  dns1: f.hostIpv4().optional(),
  dns2: f.hostIpv4().optional(),
  nat: f.boolean().default(true),
  metric: f.metric().default(1),
  weight: f.int(1, 10, { rule: 'G17' }).default(1),
  targets: f.lines(f.hostIpv4(), { max: 4 }).default([]),
  ipv6: f.choice(['off', 'auto', 'static']).default('off'),
  address6: f.hostIpv6().optional(),
  prefix6: f.prefix6(1).optional(),
  gateway6: f.hostIpv6().optional(),
  /** What the provider sends to this gateway, for its LANs. */
  delegated: f.cidr6().optional(),
  /** The length of the prefix that the provider is asked for. */
  delegatedLength: f.int(32, 64, { rule: 'P7' }).default(56),
  /** The length of what each LAN is given of it. */
  pdLength: f.int(48, 64, { rule: 'P7' }).default(64),
  /** Rules P1 and P7. */
  dmzHost: f.hostIpv4().optional(),
  ddns: f.choice(['off', 'dyn', 'noIp', 'custom']).default('off'),
  ddnsServer: f.url().optional(),
  ddnsHost: f.domain().optional(),
  ddnsUser: f.name(64).optional(),
  ddnsPassword: f.secret(1, 128, { sentTo: ['ddns', 'ddnsServer'] }).optional(),
})
export type Wan = z.output<typeof fields>

/** Rule N14 leaves one number out, wherever a VLAN is chosen. */
const reservedVlan = 666

type Values = Pick<Wan, 'connection' | 'ipv6' | 'ddns'>
const isStatic = ({ connection }: Values) => connection === 'static'
const isDialled = ({ connection }: Values) => connection === 'pppoe'
const isOurs = ({ connection }: Values) => connection !== 'kept'
const hasTag = (value: Wan) => isOurs(value) && value.vlan !== undefined
export const hasIpv6 = (value: Values) => isOurs(value) && value.ipv6 !== 'off'
const isAuto6 = (value: Values) => hasIpv6(value) && value.ipv6 === 'auto'
const isStatic6 = (value: Values) => hasIpv6(value) && value.ipv6 === 'static'
const hasDdns = ({ ddns }: Values) => ddns !== 'off'
const hasServer = ({ ddns }: Values) => ddns === 'custom'

/** Length of the prefix that the provider gives the WAN for its LANs; undefined where it gives none. */
const delegatedPrefix = (value: Wan): number | undefined =>
  isAuto6(value) ? value.delegatedLength : value.delegated ? Number(value.delegated.split('/')[1]) : undefined

/** Rule P13: the default is the one whose metric ranks highest; another of the same rank takes its place. */
const isDefault = (value: Wan, others: readonly Wan[]): boolean => !others.some(other => other.metric <= value.metric)

/** A field that has to be given where it exists: a hidden one is not asked. */
const needed = (key: keyof Wan & string, when: (value: Wan) => boolean) =>
  rule('required', key, (value: Wan) => !when(value) || value[key] !== undefined)

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
      ...['address', 'prefix', 'gateway'].map(key => field(key, { when: isStatic })),
      ...['user', 'password', 'service', 'mtu'].map(key => field(key, { when: isDialled })),
      field('vlan', { when: isOurs }),
      field('vlanPriority', { when: hasTag }),
      ...['dns1', 'dns2'].map(key => field(key, { when: isOurs })),
      'nat',
    ]),
    section('failover', ['metric', 'weight', 'targets']),
    section('ipv6', [
      field('ipv6', { when: isOurs }),
      ...['address6', 'prefix6', 'gateway6', 'delegated'].map(key => field(key, { when: isStatic6 })),
      field('delegatedLength', { when: isAuto6 }),
      field('pdLength', { when: hasIpv6 }),
    ]),
    section('inward', ['dmzHost']),
    section('ddns', [
      'ddns',
      field('ddnsServer', { when: hasServer }),
      ...['ddnsHost', 'ddnsUser', 'ddnsPassword'].map(key => field(key, { when: hasDdns })),
    ]),
  ],
  rules: [
    deviceRule('wanTaken', 'interface', (value: Wan, others) =>
      others.every(other => other.interface !== value.interface || other.vlan !== value.vlan),
    ),
    // Rule N14.
    rule('wanVlan', 'vlan', (value: Wan) => value.vlan !== reservedVlan),
    needed('address', isStatic),
    needed('prefix', isStatic),
    needed('gateway', isStatic),
    needed('user', isDialled),
    needed('password', isDialled),
    // Rule P14.
    rule('gatewaySegment', 'gateway', (value: Wan) => {
      const segment = value.prefix === undefined ? undefined : segmentOf(value.address ?? '', value.prefix)
      const gateway = ipv4Number(value.gateway ?? '')
      if (!segment || gateway === undefined) return true
      return isHostOf(segment, gateway) && gateway !== segment.address
    }),
    // Rule N23.
    rule('dnsSame', 'dns2', (value: Wan) => value.dns2 === undefined || value.dns2 !== value.dns1),
    needed('address6', isStatic6),
    needed('prefix6', isStatic6),
    needed('gateway6', isStatic6),
    // Rule P8.
    deviceRule('ipv6Taken', 'ipv6', (value: Wan, others) => !hasIpv6(value) || !others.some(hasIpv6)),
    rule('delegatedLong', 'delegated', (value: Wan) => (delegatedPrefix(value) ?? 64) <= 64),
    // Rule P7.
    rule('pdLength', 'pdLength', (value: Wan) => value.pdLength >= (delegatedPrefix(value) ?? 0)),
    // Rule P7.
    deviceRule(
      'dmzTaken',
      'dmzHost',
      (value: Wan, others) => value.dmzHost === undefined || others.every(other => other.dmzHost !== value.dmzHost),
    ),
    // Rule P8.
    deviceRule('ddnsTaken', 'ddns', (value: Wan, others) => !hasDdns(value) || !others.some(hasDdns)),
    needed('ddnsServer', hasServer),
    // The client writes values of its own where the path has a percent sign.
    rule('ddnsServer', 'ddnsServer', (value: Wan) => !/[%?#]|\/\/[^/]*@/.test(value.ddnsServer ?? '')),
    needed('ddnsHost', hasDdns),
    needed('ddnsUser', hasDdns),
    needed('ddnsPassword', hasDdns),
  ],
  // Rule P13.
  keeps: isDefault,
})
