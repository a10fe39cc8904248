import * as z from 'zod'
import { overlap } from '../addresses'
import { f } from '../fields'
import { deviceRule, field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { numberRanges } from '../rules'

const fields = z.strictObject({
  name: f.name(),
  enabled: f.boolean().default(true),
  protocol: f.choice(['tcp', 'udp', 'tcpUdp']).default('tcp'),
  /** Rule P2. */
  ports: f.ports(),
  /** Rule P1. */
  address: f.clientIpv4(),
  innerPort: f.port().optional(),
  sources: f.lines(f.addressOrSegment(), { max: limits.addressesPerRule }).default([]),
})
export type ForwardValues = z.output<typeof fields>

const ranges = ({ ports }: Pick<ForwardValues, 'ports'>) => numberRanges(ports ?? '') ?? []
// Several ports keep their numbers: which of them would be the inner one?
const onePort = (value: ForwardValues) => /^\s*\d+\s*$/.test(value.ports ?? '')

const sharesProtocol = (a: ForwardValues, b: ForwardValues) =>
  a.protocol === b.protocol || a.protocol === 'tcpUdp' || b.protocol === 'tcpUdp'
const sameSources = (a: ForwardValues, b: ForwardValues) => a.sources.toSorted().join() === b.sources.toSorted().join()

/** A port of the internet side leads to a server inside. */
export const portForward = kind({
  id: 'portForward',
  area: 'firewall',
  scope: 'network',
  max: limits.portForwards,
  title: 'name',
  columns: ['enabled', 'name', 'protocol', 'ports', 'address', 'innerPort'],
  fields,
  sections: [
    section('basic', ['name', 'enabled']),
    section('outside', ['protocol', 'ports', 'sources']),
    section('inside', ['address', field('innerPort', { when: onePort })]),
  ],
  rules: [
    rule('ipv4Only', 'sources', (value: ForwardValues) => value.sources.every(one => !one.includes(':'))),
    deviceRule(
      'portsTaken',
      'ports',
      (value: ForwardValues, others) =>
        !others.some(
          other =>
            sharesProtocol(value, other) &&
            sameSources(value, other) &&
            ranges(value).some(one => ranges(other).some(two => overlap(one, two))),
        ),
    ),
  ],
})
