import * as z from 'zod'
import { f } from '../fields'
import { kind, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.radiusName(),
  enabled: f.boolean().default(true),
  /** Kept sealed and not as a sum: MS-CHAPv2 needs to know it. Absent: signs in by certificate alone. */
  password: f.userPassword().optional(),
  /** Rule N13; absent: the network's own. */
  vlan: f.ssidVlan({ ofLan: true }).optional(),
})
export type RadiusUserFields = z.output<typeof fields>

/** Who signs in at the manager's own RADIUS server. */
export const radiusUser = kind({
  id: 'radiusUser',
  area: 'profiles',
  scope: 'network',
  max: limits.radiusUsers,
  title: 'name',
  columns: ['name', 'enabled', 'vlan'],
  fields,
  sections: [section('who', ['name', 'enabled', 'password']), section('where', ['vlan'])],
  rules: [],
})
