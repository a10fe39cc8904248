import * as z from 'zod'
import { f } from '../fields'
import { field, folded, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { isRawKey, isWepKey, wpaKeyProblem } from '../rules'

const fields = z.strictObject({
  name: f.ssidName(),
  enabled: f.boolean().default(true),
  bands: f.checks(['2g', '5g', '6g']).default(['2g', '5g']),
  hidden: f.boolean().default(false),
  security: f
    .choice([
      'open',
      'owe',
      'wep',
      'wpa2',
      'wpa2wpa3',
      'wpa3',
      'ppsk',
      'ppskWpa3',
      'wpa2Enterprise',
      'wpa2wpa3Enterprise',
      'wpa3Enterprise',
    ])
    .default('wpa2wpa3'),
  key: f.wifiKey().optional(),
  /** Each voucher of the network is a private key, too. */
  vouchers: f.boolean().default(false),
  /** Who decides, with enterprise security. */
  radius: f.ref('radius').optional(),
  /** Rule W18: so long a client of enterprise security stays signed in before it is asked anew; absent: as the device's software does. */
  timeout: f.int(5, 1440, { unit: 'minutes', rule: 'W18' }).optional(),
  /** Rule G16. None: always. */
  schedule: f.ref('schedule').optional(),
  vlan: f.ssidVlan({ ofLan: true }).optional(),
  /**
   * Rule W14: asked for by the gateway of the VLAN's LAN network, so it is that of everybody in the VLAN. Absent: as the
   * LAN network says.
   */
  portal: f.ref('portal').optional(),
  isolation: f.boolean().default(false),
  /** Rule W6: 0 sets no limit. */
  maxClients: f.int(0, 127, { rule: 'W6' }).default(0),
  /** Rule W7. */
  stationTimeout: f.int(60, 3600, { unit: 'seconds', rule: 'W7' }).default(300),
  /** Rule N12; a client that is weaker is not let in. */
  minRssi: f.int(-94, -1, { unit: 'dBm', rule: 'N12' }).optional(),
  /** Rule W10. */
  minRate: f.int(1, 65, { unit: 'mbps', rule: 'W10' }).optional(),
  /** Rule W4, in time units of 1.024 ms; absent: as the number of networks asks for. */
  beaconInterval: f.int(40, 500, { unit: 'timeUnits', rule: 'W4' }).optional(),
  /** Rule W5. */
  dtim: f.int(1, 10, { rule: 'W5' }).default(2),
  /** IEEE 802.11r. */
  fastRoaming: f.boolean().default(false),
  /** IEEE 802.11k. */
  neighborReports: f.boolean().default(false),
  /** IEEE 802.11v. */
  transitionManagement: f.boolean().default(false),
  macFilter: f.choice(['off', 'allow', 'block']).default('off'),
  /** Rules N4, W13. */
  macList: f.lines(f.mac(), { max: limits.macsPerNetwork, rule: 'W13' }).optional(),
})
export type SsidFields = z.output<typeof fields>
type Ssid = SsidFields

type Secured = Pick<Ssid, 'security'>
const withRadius = ({ security }: Secured) => security.endsWith('Enterprise')
const withKey = (value: Secured) => !['open', 'owe', 'ppsk', 'ppskWpa3'].includes(value.security) && !withRadius(value)
const withWpaKey = (value: Secured) => withKey(value) && value.security !== 'wep'

/** The VLAN of the LAN that clients join; 1 is the untagged one (rule N14). */
export const vlanOfSsid = ({ vlan }: { vlan?: unknown }): number => (typeof vlan === 'number' ? vlan : 1)

/** Rule W4: the least beacon interval where so many networks share a radio. */
export const leastBeacon = (networks: number) => (networks > 8 ? 200 : networks >= 3 ? 100 : 40)
const macs = (values: readonly Pick<Ssid, 'macList'>[]) =>
  values.reduce((sum, value) => sum + (value.macList?.length ?? 0), 0)

/** A wireless network that access points send out. */
export const ssid = kind({
  id: 'ssid',
  area: 'wifi',
  scope: 'network',
  max: limits.ssidsPerNetwork,
  title: 'name',
  columns: ['enabled', 'name', 'security', 'bands', 'vlan'],
  fields,
  sections: [
    section('basic', ['name', 'enabled', 'bands']),
    section('security', [
      'security',
      field('key', { when: withKey }),
      field('vouchers', { when: (value: Ssid) => value.security === 'ppsk' }),
      field('radius', { when: withRadius }),
      field('timeout', { when: withRadius }),
    ]),
    section('network', ['vlan', 'portal', 'isolation']),
    folded('visibility', ['schedule', 'hidden']),
    folded('limits', ['maxClients', 'stationTimeout', 'minRssi', 'minRate']),
    folded('filter', ['macFilter', field('macList', { when: (value: Ssid) => value.macFilter !== 'off' })]),
    folded('roaming', [
      field('fastRoaming', { when: (value: Ssid) => withWpaKey(value) || withRadius(value) }),
      'neighborReports',
      'transitionManagement',
      'beaconInterval',
      'dtim',
    ]),
  ],
  rules: [
    rule('keyRequired', 'key', (value: Ssid) => !withKey(value) || value.key !== undefined),
    rule('required', 'radius', (value: Ssid) => !withRadius(value) || value.radius !== undefined),
    rule('wepKey', 'key', (value: Ssid) => value.security !== 'wep' || isWepKey(value.key ?? '')),
    rule('wpaKey', 'key', (value: Ssid) => !withWpaKey(value) || !wpaKeyProblem(value.key ?? '')),
    // Rule W2: SAE takes a password only, never a raw key.
    rule('wpa3Key', 'key', (value: Ssid) => ['wpa2', 'wep'].includes(value.security) || !isRawKey(value.key ?? '')),
    // IEEE 802.11ax: 6 GHz allows WPA3 and Enhanced Open, nothing older beside them.
    rule(
      'band6',
      'bands',
      (value: Ssid) =>
        !value.bands.includes('6g') || ['owe', 'wpa3', 'ppskWpa3', 'wpa3Enterprise'].includes(value.security),
    ),
    rule(
      'beaconNetworks',
      'beaconInterval',
      (value: Ssid, others) =>
        value.beaconInterval === undefined || value.beaconInterval >= leastBeacon(others.length + 1),
    ),
    // Rule W4, of the networks that stand already.
    rule('beaconOthers', 'beaconInterval', (_value: Ssid, others) =>
      others.every(
        ({ beaconInterval }) => beaconInterval === undefined || beaconInterval >= leastBeacon(others.length + 1),
      ),
    ),
    rule('macsRequired', 'macList', (value: Ssid) => value.macFilter === 'off' || (value.macList?.length ?? 0) > 0),
    // Rule W13.
    rule('macsTotal', 'macList', (value: Ssid, others) => macs([value, ...others]) <= limits.macsPerNetwork),
    // Whoever has a voucher as key meets no portal.
    rule('voucherPortal', 'vouchers', (value: Ssid) => !value.vouchers || value.portal === undefined),
    // A gateway cannot tell the networks of a VLAN apart.
    rule('portalVlan', 'portal', (value: Ssid, others) => {
      const same = others.filter(other => other.enabled !== false && vlanOfSsid(other) === vlanOfSsid(value))
      return (
        value.enabled === false ||
        value.portal === undefined ||
        same.every(one => (one.portal ?? value.portal) === value.portal)
      )
    }),
    // Rule N16.
    rule(
      'vlanSsids',
      'vlan',
      (value: Ssid, others) =>
        value.vlan === undefined || others.filter(other => other.vlan === value.vlan).length < limits.ssidsPerVlan,
    ),
  ],
})
