import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  /** `tls`: from the first byte (465); `starttls`: refused where the server does not offer it. */
  security: f.choice(['starttls', 'tls', 'none'], { menu: true }).default('starttls'),
  host: f.server(),
  port: f.port().default(587),
  /** Refuses certificates that no known authority signed, unless turned off for a server of one's own. */
  verify: f.boolean().default(true),
  user: f.text().default(''),
  password: f
    .secret(1, limits.ownSecretCharacters, { sentTo: ['host', 'port', 'security', 'verify', 'user'] })
    .optional(),
  from: f.email(),
  fromName: f.text(64).default(''),
  replyTo: f.email().optional(),
  /** Missing where the server comes from a version that had no links to send. */
  publicUrl: f.origin().optional(),
})
export type MailServer = z.output<typeof fields>

/** The one mail server through which everything is sent: letters about accounts, and alerts. */
export const mailServer = single({
  id: 'mailServer',
  area: 'manager',
  scope: 'manager',
  title: 'host',
  fields,
  sections: [
    section('server', [
      'security',
      'host',
      field('port', { beside: true }),
      field('verify', { when: (v: MailServer) => v.security !== 'none' }),
      'user',
      // A form leaves out what is empty.
      field('password', { when: (v: Partial<MailServer>) => !!v.user, beside: true }),
    ]),
    section('sender', ['from', field('fromName', { beside: true }), 'replyTo', 'publicUrl']),
  ],
  rules: [rule<MailServer>('required', 'publicUrl', v => v.publicUrl !== undefined)],
})
