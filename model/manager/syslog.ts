import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  protocol: f.choice(['off', 'udp', 'tcp', 'tls'], { menu: true }).default('off'),
  host: f.server().optional(),
  port: f.port().default(514),
  /** Of who signed the server's certificate; without it the authorities that all know. */
  ca: f.certificates(limits.syslogCaCharacters).optional(),
  /** What the certificate is to say instead of the server's name or address. */
  peer: f.host().optional(),
})
export type Syslog = z.output<typeof fields>

const isTls = ({ protocol }: Syslog) => protocol === 'tls'
const isOn = ({ protocol }: Syslog) => protocol !== 'off'

/** The log server to which the changelog is written as it grows. */
export const syslog = single({
  id: 'syslog',
  area: 'changelog',
  scope: 'manager',
  title: 'host',
  fields,
  sections: [
    section('server', [
      'protocol',
      field('host', { when: isOn }),
      field('port', { when: isOn }),
      field('ca', { when: isTls }),
      field('peer', { when: isTls }),
    ]),
  ],
  rules: [rule<Syslog>('required', 'host', v => !isOn(v) || v.host !== undefined)],
})
