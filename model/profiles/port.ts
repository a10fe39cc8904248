import * as z from 'zod'
import { f } from '../fields'
import { deviceRule, field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { numberRanges } from '../rules'
import { portNames } from './port-names'

const fields = z.strictObject({
  name: f.name(),
  /** As the devices name them (`p3`, `GigabitEthernet1/0/3`), or the label on their front. */
  ports: f.portNames(limits.portsPerProfile),
  /** Instead of `ports` on single devices: their names with commas between; absent: none. */
  switches: f.perDevice({ ports: f.portsHere(2000).optional() }).default([]),
  enabled: f.boolean().default(true),
  /** Absent, as with all of the following: as the device has it. IF-MIB ifAlias holds 64 characters. */
  description: f.text(64).optional(),
  speed: f
    .choice(['keep', 'auto', '10half', '10full', '100half', '100full', '1000full', '2500full', '10000full'])
    .default('keep'),
  poe: f.choice(['keep', 'on', 'off']).default('keep'),
  /** Untagged frames belong to it. Rule N15: 0, the number of a tag that holds a priority alone, is the untagged LAN, VLAN 1. */
  nativeVlan: f.portVlan().optional(),
  /** The tagged ones. Rule N15. */
  allowedVlans: f.vlanList().optional(),
  /** Ports with it reach each other no more; they reach those without. */
  isolation: f.choice(['keep', 'on', 'off']).default('keep'),
  /** Broadcast and multicast that a port takes in. */
  stormLimit: f.rate().optional(),
  /** LAG1-8: the profile's ports of a device are one link with that number. */
  lag: f.int(1, 8).optional(),
  lacpTimeout: f.choice(['slow', 'fast']).default('slow'),
  /** Observation port: another port of the same device, by its name or label, that gets a copy of what passes these. */
  mirrorTo: f.name().optional(),
  /** As the switch sees it: `in` comes from what hangs on the port. */
  mirrorTraffic: f.choice(['both', 'in', 'out']).default('both'),
})
export type PortProfileFields = z.output<typeof fields>

/** Far below what a switch can hold, far above what a port carries. */
const mostTagged = 256
const tagged = (value: PortProfileFields) => numberRanges(value.allowedVlans ?? '') ?? []

/** Ports of the profile on any device. */
const allPorts = ({ ports, switches }: PortProfileFields) => [
  ...ports,
  ...switches.flatMap(row => portNames(row.ports)),
]

/** How ports of switches are set; each profile names its ports on the devices that it is assigned to. */
export const portProfile = kind({
  id: 'portProfile',
  area: 'profiles',
  scope: 'network',
  max: limits.portProfiles,
  title: 'name',
  columns: ['name', 'ports', 'enabled', 'nativeVlan', 'allowedVlans', 'poe'],
  fields,
  sections: [
    section('ports', ['name', 'ports', 'switches']),
    section('link', ['enabled', 'description', 'speed', 'poe']),
    section('vlans', ['nativeVlan', 'allowedVlans']),
    section('protection', ['isolation', 'stormLimit']),
    section('mirror', [
      'mirrorTo',
      field<PortProfileFields>('mirrorTraffic', { when: value => value.mirrorTo !== undefined }),
    ]),
    section('lag', ['lag', field<PortProfileFields>('lacpTimeout', { when: value => value.lag !== undefined })]),
  ],
  rules: [
    rule(
      'portNativeMissing',
      'nativeVlan',
      (value: PortProfileFields) => value.allowedVlans === undefined || value.nativeVlan !== undefined,
    ),
    rule(
      'portTaggedMany',
      'allowedVlans',
      (value: PortProfileFields) =>
        tagged(value).reduce((sum, { first, last }) => sum + last - first + 1, 0) <= mostTagged,
    ),
    rule(
      'mirrorItself',
      'mirrorTo',
      (value: PortProfileFields) => value.mirrorTo === undefined || !allPorts(value).includes(value.mirrorTo),
    ),
    deviceRule(
      'mirrorTwice',
      'mirrorTo',
      (value: PortProfileFields, others) =>
        value.mirrorTo === undefined ||
        others.every(({ mirrorTo }) => mirrorTo === undefined || mirrorTo === value.mirrorTo),
    ),
  ],
  onDevice: (value, device) => {
    const own = value.switches.find(row => row.device === device)
    return own ? { ...value, ports: portNames(own.ports) } : value
  },
})
