import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  protocol: f.choice(['off', 'udp', 'tcp', 'both'], { menu: true }).default('off'),
  /** Captures open it, too, where nothing else is received. */
  port: f.port().default(514),
  /** RFC 5425, with the manager's own certificate. */
  tls: f.boolean().default(false),
  tlsPort: f.port().default(6514),
  days: f.int(limits.logDays.min, limits.logDays.max, { unit: 'days' }).default(limits.logDays.default),
  megabytes: f
    .int(limits.logMegabytes.min, limits.logMegabytes.max, { unit: 'megabytes' })
    .default(limits.logMegabytes.default),
  /** Also of senders that are no device. */
  unknown: f.boolean().default(false),
  /** SNMP traps and informs. */
  traps: f.boolean().default(false),
  trapPort: f.port().default(162),
  /** Of versions 1 and 2c; absent: a known device may send with any. */
  trapCommunity: f.secret(1, 64).optional(),
  /** Rule P9, of version 3; devices' own logins are known besides. */
  trapUser: f.snmpString(32).optional(),
  trapAuth: f.choice(['sha', 'sha224', 'sha256', 'sha384', 'sha512', 'md5'], { menu: true }).default('sha'),
  trapAuthKey: f.snmpString(64, 'secret').optional(),
  trapPriv: f.choice(['aes', 'aes256b', 'aes256r', 'des'], { menu: true }).default('aes'),
  trapPrivKey: f.snmpString(64, 'secret').optional(),
})
export type LogReception = z.output<typeof fields>

const isOn = ({ protocol }: LogReception) => protocol !== 'off'
const withTls = ({ tls }: LogReception) => tls
const withTraps = ({ traps }: LogReception) => traps
const withUser = ({ traps, trapUser }: LogReception) => traps && trapUser !== undefined

/** The reception of what devices log, and how much of it is kept. */
export const logReception = single({
  id: 'logReception',
  area: 'logs',
  scope: 'manager',
  fields,
  sections: [
    section('reception', ['protocol', 'port', 'tls', field('tlsPort', { when: withTls })]),
    section('traps', [
      'traps',
      field('trapPort', { when: withTraps }),
      field('trapCommunity', { when: withTraps }),
      field('trapUser', { when: withTraps }),
      field('trapAuth', { when: withUser }),
      field('trapAuthKey', { when: withUser, beside: true }),
      field('trapPriv', { when: withUser }),
      field('trapPrivKey', { when: withUser, beside: true }),
    ]),
    section('keeping', ['days', 'megabytes', 'unknown']),
  ],
  rules: [
    rule(
      'syslogHasTcpPort',
      'tlsPort',
      (value: LogReception) => !value.tls || !isOn(value) || value.protocol === 'udp' || value.port !== value.tlsPort,
    ),
    rule('required', 'trapAuthKey', (value: LogReception) => !withUser(value) || value.trapAuthKey !== undefined),
    rule(
      'syslogHasPort',
      'trapPort',
      (value: LogReception) =>
        !value.traps || !isOn(value) || value.protocol === 'tcp' || value.port !== value.trapPort,
    ),
  ],
})
