import * as z from 'zod'
import { contains4, hostIpv4Problem, ipv4Number, isHostOf, overlap, segment4 } from '../addresses'
import { f } from '../fields'
import { deviceRule, field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { addressOptions, isHexString, textOptions } from '../rules'

const fields = z.strictObject({
  name: f.name(32),
  /** Rule N14: 1 is the untagged LAN itself. */
  vlan: f.lanVlan(),
  /** The gateway's own address in it, with the prefix. */
  address: f.interfaceAddress(),
  isolation: f.boolean().default(false),
  dhcp: f.boolean().default(true),
  poolStart: f.hostIpv4().optional(),
  poolEnd: f.hostIpv4().optional(),
  /** Rule P4: minutes. */
  lease: f.int(2, 2880, { unit: 'minutes', rule: 'P4' }).default(120),
  dns1: f.hostIpv4().optional(),
  dns2: f.hostIpv4().optional(),
  domain: f.domain().optional(),
  /** Rule N23: RFC 2132 sections 8.5 and 8.7. */
  wins: f.lines(f.hostIpv4(), { max: 2, rule: 'N23' }).default([]),
  leases: f
    .rows(
      { mac: f.mac(), address: f.hostIpv4(), name: f.hostname().optional() },
      { max: limits.staticLeases, unique: ['mac', 'address'] },
    )
    .default([]),
  options: f
    .rows(
      { code: f.dhcpOption(), type: f.choice(['text', 'address', 'hex']), value: f.name(256, 'G20') },
      { max: limits.dhcpOptions, unique: ['code'] },
    )
    .default([]),
  ipv6: f.choice(['off', 'ula', 'delegated']).default('off'),
  dhcp6: f.boolean().default(false),
  /** Its clients are guests: the gateway lets nobody out whom the portal has not let in. Absent: anybody. */
  portal: f.ref('portal').optional(),
})
export type Lan = z.output<typeof fields>

const withIpv6 = ({ ipv6 }: Pick<Lan, 'ipv6'>) => ipv6 !== 'off'
const withDhcp = ({ dhcp }: Pick<Lan, 'dhcp'>) => dhcp

const segmentOf = (value: Pick<Lan, 'address'>) => segment4(value.address)
/** Whether a host of the LAN network can have the address. */
export const hostOf = (value: Pick<Lan, 'address'>, address: string | undefined): boolean => {
  const segment = segmentOf(value)
  const number = ipv4Number(address ?? '')
  return segment !== undefined && number !== undefined && isHostOf(segment, number)
}
const poolOf = ({ poolStart, poolEnd }: Lan) => {
  const [first, last] = [ipv4Number(poolStart ?? ''), ipv4Number(poolEnd ?? '')]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** Rules G20 and P15: the content of an option as its type writes it. */
function isOptionValue({ code, type, value }: Lan['options'][number]): boolean {
  if (addressOptions.has(code) && type !== 'address') return false
  if (type === 'hex') return isHexString(value) && !textOptions.has(code)
  if (type === 'address') return value.split(',').every(one => hostIpv4Problem(one.trim()) === undefined)
  return value.length <= 255
}

/** A network of the gateway's LAN side: its VLAN, the gateway's address in it, and what clients are given. */
export const lan = kind({
  id: 'lan',
  area: 'lan',
  scope: 'network',
  max: limits.lansPerNetwork,
  title: 'name',
  columns: ['name', 'vlan', 'address', 'dhcp', 'isolation'],
  fields,
  sections: [
    section('basic', ['name', 'vlan', 'address', 'isolation']),
    section('dhcp', [
      'dhcp',
      field('poolStart', { when: withDhcp }),
      field('poolEnd', { when: withDhcp }),
      field('lease', { when: withDhcp }),
      field('dns1', { when: withDhcp }),
      field('dns2', { when: withDhcp }),
      field('domain', { when: withDhcp }),
      field('wins', { when: withDhcp }),
    ]),
    section('leases', [field('leases', { when: withDhcp })]),
    section('options', [field('options', { when: withDhcp })]),
    section('ipv6', ['ipv6', field('dhcp6', { when: withIpv6 })]),
    section('guests', ['portal']),
  ],
  rules: [
    // Rule N14: only one interface per VLAN.
    deviceRule('vlanTaken', 'vlan', (value: Lan, others) => others.every(other => other.vlan !== value.vlan)),
    deviceRule('segmentTaken', 'address', (value: Lan, others) => {
      const own = segmentOf(value)
      return others.every(other => {
        const theirs = segmentOf(other)
        return !own || !theirs || !overlap(own, theirs)
      })
    }),
    rule('required', 'poolStart', (value: Lan) => !value.dhcp || value.poolStart !== undefined),
    rule('required', 'poolEnd', (value: Lan) => !value.dhcp || value.poolEnd !== undefined),
    // Rule P3.
    rule('poolSegment', 'poolStart', (value: Lan) => !value.dhcp || hostOf(value, value.poolStart)),
    rule('poolSegment', 'poolEnd', (value: Lan) => !value.dhcp || hostOf(value, value.poolEnd)),
    rule('poolOrder', 'poolEnd', (value: Lan) => {
      const pool = poolOf(value)
      return !pool || pool.last > pool.first
    }),
    rule('poolGateway', 'poolStart', (value: Lan) => {
      const [pool, own] = [poolOf(value), segmentOf(value)]
      return !pool || !own || !contains4(pool, own.address)
    }),
    rule('dnsSame', 'dns2', (value: Lan) => value.dns2 === undefined || value.dns2 !== value.dns1),
    rule('leaseSegment', 'leases', (value: Lan) =>
      (value.leases ?? []).every(
        one => hostOf(value, one.address) && ipv4Number(one.address) !== segmentOf(value)?.address,
      ),
    ),
    // Rules G20 and P15.
    rule('optionValue', 'options', (value: Lan) => (value.options ?? []).every(isOptionValue)),
  ],
})
