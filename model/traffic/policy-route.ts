import * as z from 'zod'
import { f } from '../fields'
import { kind, rule, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(32),
  enabled: f.boolean().default(true),
  source: f.cidr4().optional(),
  destination: f.cidr4().optional(),
  wan: f.ref('wan'),
  /** Rule N19. */
  metric: f.metric().default(1),
})
type PolicyRoute = z.output<typeof fields>

/** Which way to the internet certain traffic takes. */
export const policyRoute = kind({
  id: 'policyRoute',
  area: 'traffic',
  scope: 'network',
  max: limits.routesPerNetwork,
  title: 'name',
  columns: ['enabled', 'name', 'source', 'destination', 'wan', 'metric'],
  fields,
  sections: [
    section('basic', ['name', 'enabled']),
    section('match', ['source', 'destination']),
    section('route', ['wan', 'metric']),
  ],
  rules: [
    rule(
      'sourceOrDestination',
      'source',
      (value: PolicyRoute) => value.source !== undefined || value.destination !== undefined,
    ),
  ],
})
