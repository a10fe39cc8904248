import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  timeZone: f.timeZone().optional(),
  /** Rule P14. */
  ntpServers: f.lines(f.host(), { max: limits.ntpServers, rule: 'P14' }).default([]),
  syslog: f.choice(['keep', 'udp', 'tcp']).default('keep'),
  syslogHost: f.host().optional(),
  syslogPort: f.port().default(514),
  passwordLogin: f.choice(['keep', 'off', 'on']).default('keep'),
})
export type SystemFields = z.output<typeof fields>

const withSyslog = ({ syslog }: SystemFields) => syslog !== 'keep'

/** What devices are besides the network: their clock, where their messages go, who may log in. What is not set stays as each has it. */
export const system = single({
  id: 'system',
  area: 'system',
  fields,
  sections: [
    section('time', ['timeZone', 'ntpServers']),
    section('messages', [
      'syslog',
      field('syslogHost', { when: withSyslog }),
      field('syslogPort', { when: withSyslog }),
    ]),
    section('access', ['passwordLogin']),
  ],
  rules: [
    rule(
      'syslogHostRequired',
      'syslogHost',
      (value: SystemFields) => !withSyslog(value) || value.syslogHost !== undefined,
    ),
  ],
})
