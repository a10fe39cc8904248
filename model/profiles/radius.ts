import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(),
  /** Rule G3, as far as hostapd goes: it asks no DNS. */
  server: f.hostIp(),
  port: f.port().default(1812),
  secret: f.secret(1, 64, { rule: 'G3', sentTo: ['server', 'port'] }),
  secondServer: f.hostIp().optional(),
  secondPort: f.port().default(1812),
  secondSecret: f.secret(1, 64, { rule: 'G3', sentTo: ['secondServer', 'secondPort'] }).optional(),
  accounting: f.boolean().default(false),
  accountingPort: f.port().default(1813),
  /** Rule G3. */
  accountingInterval: f.int(30, 604_800, { unit: 'seconds', rule: 'G3' }).default(600),
  /** Rule G3; absent: what names the access point itself. */
  nasId: f.text(48, 'G3').optional(),
})
export type RadiusFields = z.output<typeof fields>

const withSecond = (value: RadiusFields) => value.secondServer !== undefined
const accounts = (value: RadiusFields) => value.accounting

/** A RADIUS server that decides who joins; Wi-Fi networks with enterprise security refer to one. */
export const radius = kind({
  id: 'radius',
  area: 'profiles',
  scope: 'network',
  max: limits.radiusServers,
  title: 'name',
  columns: ['name', 'server', 'port', 'accounting', 'secondServer'],
  fields,
  sections: [
    section('server', ['name', 'server', 'port', 'secret', 'nasId']),
    section('second', [
      'secondServer',
      field('secondPort', { when: withSecond }),
      field('secondSecret', { when: withSecond }),
    ]),
    section('accounting', [
      'accounting',
      field('accountingPort', { when: accounts }),
      field('accountingInterval', { when: accounts }),
    ]),
  ],
  rules: [
    rule('required', 'secondSecret', (value: RadiusFields) => !withSecond(value) || value.secondSecret !== undefined),
    rule('duplicate', 'secondServer', (value: RadiusFields) => value.secondServer !== value.server),
  ],
})
