import * as z from 'zod'
import { f } from '../fields'
import { field, kind, section } from '../kind'
import { limits } from '../limits'
import { hasPorts, protocols } from './wired'

const fields = z.strictObject({
  name: f.name(),
  enabled: f.boolean().default(true),
  action: f.choice(['deny', 'allow']).default('deny'),
  /** None: every Wi-Fi network. */
  ssid: f.ref('ssid').optional(),
  /** Rule N4. */
  macs: f.lines(f.mac(), { max: limits.addressesPerRule, rule: 'N4' }).default([]),
  /** Rule P1. */
  destinations: f.lines(f.addressOrSegment(), { max: limits.addressesPerRule }).default([]),
  protocol: f.choice(protocols).default('any'),
  /** Rule P2. */
  ports: f.ports().optional(),
  /** Rule G16. None: always. */
  schedule: f.ref('schedule').optional(),
})
export type WirelessValues = z.output<typeof fields>

/** What clients of a Wi-Fi network may send, judged where they are connected; the first rule that fits decides. */
export const wirelessRule = kind({
  id: 'wirelessRule',
  area: 'firewall',
  scope: 'network',
  ordered: true,
  max: limits.firewallRules,
  title: 'name',
  columns: ['enabled', 'name', 'action', 'destinations', 'protocol', 'ports'],
  fields,
  sections: [
    section('basic', ['name', 'enabled', 'action']),
    section('source', ['ssid', 'macs']),
    section('destination', ['destinations']),
    section('service', ['protocol', field('ports', { when: hasPorts })]),
    section('when', ['schedule']),
  ],
  rules: [],
})
