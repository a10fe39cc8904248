import * as z from 'zod'
import { f } from '../fields'
import { kind, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(),
  /** Of one device, or a segment of them. */
  address: f.radiusClientAddress(),
  /** Rule G3: shared by them and the server. */
  secret: f.radiusSecret(),
})
export type RadiusClientFields = z.output<typeof fields>

/** What may ask the manager's own RADIUS server beside the devices that the manager configures itself. */
export const radiusClient = kind({
  id: 'radiusClient',
  area: 'profiles',
  scope: 'network',
  max: limits.radiusClients,
  title: 'name',
  columns: ['name', 'address'],
  fields,
  sections: [section('client', ['name', 'address', 'secret'])],
  rules: [],
})
