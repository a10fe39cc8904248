import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  enabled: f.boolean().default(false),
  /** Where remote write is received: `https://prometheus.lan:9090/api/v1/write`. */
  url: f.url().optional(),
  user: f.text().default(''),
  password: f.secret(1, limits.ownSecretCharacters, { sentTo: ['url', 'user'] }).optional(),
  interfaces: f.boolean().default(true),
  clients: f.boolean().default(false),
})
export type MetricsStore = z.output<typeof fields>

const isOn = ({ enabled }: MetricsStore) => enabled
const withUser = (value: Partial<MetricsStore>) => !!value.enabled && !!value.user

/** A store that the samples of every minute are written to, by Prometheus' remote write. */
export const metricsStore = single({
  id: 'metricsStore',
  area: 'metrics',
  scope: 'manager',
  title: 'url',
  fields,
  sections: [
    section('store', [
      'enabled',
      field('url', { when: isOn }),
      field('user', { when: isOn }),
      field('password', { when: withUser, beside: true }),
      field('interfaces', { when: isOn }),
      field('clients', { when: isOn }),
    ]),
  ],
  rules: [rule<MetricsStore>('required', 'url', value => !value.enabled || value.url !== undefined)],
})
