import * as z from 'zod'
import { f } from '../fields'
import { deviceRule, kind, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(32),
  enabled: f.boolean().default(true),
  destination: f.cidr4(),
  gateway: f.hostIpv4(),
  metric: f.metric().default(1),
})
type StaticRoute = z.output<typeof fields>

/** Where a gateway sends what goes to a segment. */
export const staticRoute = kind({
  id: 'staticRoute',
  area: 'traffic',
  scope: 'network',
  max: limits.routesPerNetwork,
  title: 'name',
  columns: ['enabled', 'name', 'destination', 'gateway', 'metric'],
  fields,
  sections: [section('basic', ['name', 'enabled']), section('route', ['destination', 'gateway', 'metric'])],
  rules: [
    // Rule N19: two of the same metric to the same place would leave the choice to chance.
    deviceRule('routeTaken', 'metric', (value: StaticRoute, others) =>
      others.every(other => other.destination !== value.destination || other.metric !== value.metric),
    ),
  ],
})
