import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { isRawKey } from '../rules'

const fields = z.strictObject({
  name: f.ssidName(),
  enabled: f.boolean().default(true),
  bands: f.checks(['2g', '5g', '6g']).default(['2g', '5g']),
  hidden: f.boolean().default(false),
  security: f.choice(['open', 'owe', 'wpa2', 'wpa2wpa3', 'wpa3']).default('wpa2wpa3'),
  key: f.wpaKey().optional(),
  vlan: f.ssidVlan().optional(),
  isolation: f.boolean().default(false),
  /** Rule W6: 0 sets no limit. */
  maxClients: f.int(0, 127, { rule: 'W6' }).default(0),
  /** Rule W5. */
  dtim: f.int(1, 10, { rule: 'W5' }).default(2),
})
type Ssid = z.output<typeof fields>

const withKey = ({ security }: Pick<Ssid, 'security'>) => security !== 'open' && security !== 'owe'

/** A wireless network that access points send out. */
export const ssid = kind({
  id: 'ssid',
  area: 'wifi',
  scope: 'network',
  max: limits.ssidsPerNetwork,
  title: 'name',
  columns: ['enabled', 'name', 'security', 'bands', 'vlan', 'hidden', 'isolation'],
  fields,
  sections: [
    section('basic', ['name', 'enabled', 'bands', 'hidden']),
    section('security', ['security', field('key', { when: withKey })]),
    section('network', ['vlan', 'isolation']),
    section('limits', ['maxClients', 'dtim']),
  ],
  rules: [
    rule('keyRequired', 'key', (value: Ssid) => !withKey(value) || value.key !== undefined),
    // Rule W2: SAE takes a password only, never a raw key.
    rule('wpa3Key', 'key', (value: Ssid) => value.security === 'wpa2' || !isRawKey(value.key ?? '')),
    // IEEE 802.11ax: 6 GHz allows WPA3 and Enhanced Open, nothing older beside them.
    rule('band6', 'bands', (value: Ssid) => !value.bands.includes('6g') || ['owe', 'wpa3'].includes(value.security)),
    // Rule N16.
    rule(
      'vlanSsids',
      'vlan',
      (value: Ssid, others) =>
        value.vlan === undefined || others.filter(other => other.vlan === value.vlan).length < limits.ssidsPerVlan,
    ),
  ],
})
