import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(),
  enabled: f.boolean().default(true),
  target: f.choice(['client', 'address', 'lan', 'ssid']).default('client'),
  /** Rule N4. */
  mac: f.mac().optional(),
  /** Rule P1. */
  address: f.addressOrSegment().optional(),
  lan: f.ref('lan').optional(),
  /** Held where it is sent out, by each radio for itself. */
  ssid: f.ref('ssid').optional(),
  /** Rule G17: at least one of them. */
  download: f.rate().optional(),
  upload: f.rate().optional(),
  /** Rule G16. None: always. */
  schedule: f.ref('schedule').optional(),
})
export type BandwidthValues = z.output<typeof fields>

const keys = { client: 'mac', address: 'address', lan: 'lan', ssid: 'ssid' } as const
const about = (target: BandwidthValues['target']) => ({ when: (value: BandwidthValues) => value.target === target })
const subject = (value: BandwidthValues) => value[keys[value.target]]

/** Rule of each target: it is named, and no other rule is about it (rule G17). */
const subjectRules = (['client', 'address', 'lan', 'ssid'] as const).flatMap(target => [
  rule(
    'subjectRequired',
    keys[target],
    (value: BandwidthValues) => value.target !== target || subject(value) !== undefined,
  ),
  rule(
    'bandwidthExists',
    keys[target],
    (value: BandwidthValues, others) =>
      value.target !== target || !others.some(other => other.target === target && subject(other) === subject(value)),
  ),
])

/** How fast a client, an address or a network may be, to and from the internet. */
export const bandwidthRule = kind({
  id: 'bandwidthRule',
  area: 'traffic',
  scope: 'network',
  max: limits.bandwidthRules,
  title: 'name',
  columns: ['enabled', 'name', 'target', 'download', 'upload'],
  fields,
  sections: [
    section('basic', ['name', 'enabled']),
    section('who', [
      'target',
      field('mac', about('client')),
      field('address', about('address')),
      field('lan', about('lan')),
      field('ssid', about('ssid')),
    ]),
    section('rates', ['download', 'upload']),
    section('when', [field('schedule', { when: (value: BandwidthValues) => value.target !== 'ssid' })]),
  ],
  rules: [
    rule('rateRequired', 'download', (value: BandwidthValues) => (value.download ?? value.upload) !== undefined),
    ...subjectRules,
  ],
})
