import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'

const fields = z.strictObject({
  protocol: f.choice(['off', 'udp', 'tcp'], { menu: true }).default('off'),
  host: f.server().optional(),
  port: f.port().default(514),
})
export type Syslog = z.output<typeof fields>

const isOn = ({ protocol }: Syslog) => protocol !== 'off'

/** The log server to which the changelog is written as it grows. */
export const syslog = single({
  id: 'syslog',
  area: 'changelog',
  scope: 'manager',
  title: 'host',
  fields,
  sections: [section('server', ['protocol', field('host', { when: isOn }), field('port', { when: isOn })])],
  rules: [rule<Syslog>('required', 'host', v => !isOn(v) || v.host !== undefined)],
})
