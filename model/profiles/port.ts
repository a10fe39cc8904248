import * as z from 'zod'
import { f } from '../fields'
import { kind, rule, section } from '../kind'
import { limits } from '../limits'
import { numberRanges } from '../rules'

const fields = z.strictObject({
  name: f.name(),
  /** As the devices name them (`p3`, `GigabitEthernet1/0/3`), or the label on their front. */
  ports: f.lines(f.name(), { max: limits.portsPerProfile }),
  enabled: f.boolean().default(true),
  /** Absent, as with all of the following: as the device has it. IF-MIB ifAlias holds 64 characters. */
  description: f.text(64).optional(),
  /** Untagged frames belong to it. Rule N15. */
  nativeVlan: f.portVlan().optional(),
  /** The tagged ones. Rule N15. */
  allowedVlans: f.vlanList().optional(),
  poe: f.choice(['keep', 'on', 'off']).default('keep'),
})
export type PortProfileFields = z.output<typeof fields>

/** Far below what a switch can hold, far above what a port carries. */
const mostTagged = 256
const tagged = (value: PortProfileFields) => numberRanges(value.allowedVlans ?? '') ?? []

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
    section('ports', ['name', 'ports', 'enabled', 'description', 'poe']),
    section('vlans', ['nativeVlan', 'allowedVlans']),
  ],
  rules: [
    rule('required', 'ports', (value: PortProfileFields) => value.ports.length > 0),
    rule('portNative', 'nativeVlan', (value: PortProfileFields) => value.nativeVlan !== 0),
    rule(
      'portNativeMissing',
      'nativeVlan',
      (value: PortProfileFields) => value.allowedVlans === undefined || value.nativeVlan !== undefined,
    ),
    rule('portTagged', 'allowedVlans', (value: PortProfileFields) => tagged(value).every(({ first }) => first > 0)),
    rule(
      'portTaggedMany',
      'allowedVlans',
      (value: PortProfileFields) =>
        tagged(value).reduce((sum, { first, last }) => sum + last - first + 1, 0) <= mostTagged,
    ),
  ],
})
