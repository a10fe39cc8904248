import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'
import { placeFields } from '../place-fields'
import { isDomain } from '../rules'

/** RFC 5424, severities from none to all. */
export const syslogLevels = [
  ...(['none', 'emergency', 'alert', 'critical', 'error'] as const),
  ...(['warning', 'notice', 'info', 'debug'] as const),
] as const
export type SyslogLevel = (typeof syslogLevels)[number]

const fields = z.strictObject({
  /** Rule A18. */
  hostname: f.ownHostname().optional(),
  timeZone: placeFields.timeZone().optional(),
  /** Rule P14. */
  ntpServers: f.lines(f.host(), { max: limits.ntpServers, rule: 'P14' }).default([]),
  /** `tls`: RFC 5425, and never without the server's certificate being checked. */
  syslog: f.choice(['keep', 'udp', 'tcp', 'tls']).default('keep'),
  syslogHost: f.host().optional(),
  syslogPort: f.port().default(514),
  /** What is at least as severe is sent. */
  syslogLevel: f.choice(syslogLevels, { menu: true }).default('debug'),
  syslogCa: f.certificates(limits.syslogCaCharacters).optional(),
  /** Name in the server's certificate, where it is not `syslogHost`: rsyslog looks for no addresses there. */
  syslogPeer: f.domain().optional(),
  passwordLogin: f.choice(['keep', 'off', 'on']).default('keep'),
  /** Rule A12: of the account that the manager uses. */
  sshPassword: f.secret(1, 8, { rule: 'A12' }).optional(),
  sshKeys: f.lines(f.publicKey(), { max: limits.sshKeys }).default([]),
  /** Rule N14: of the device's own address, where it switches VLANs; 1 is untagged. */
  managementVlan: f.lanVlan().optional(),
  leds: f.choice(['keep', 'off']).default('keep'),
  snmp: f.choice(['keep', 'off', 'on']).default('keep'),
  /** Rule P9: reads by version 2c. */
  snmpCommunity: f.snmpString(64, 'secret').optional(),
  /** Rule P9: reads by version 3, authenticated and encrypted; 32 by RFC 3414. */
  snmpUser: f.snmpString(32).optional(),
  snmpAuthKey: f.snmpString(64, 'secret').optional(),
  snmpPrivKey: f.snmpString(64, 'secret').optional(),
  /** Where the agent sends traps: by version 3 where it has a user, else by version 2c. */
  snmpTrapHost: f.host().optional(),
  snmpTrapPort: f.port().default(162),
})
export type SystemFields = z.output<typeof fields>

const withSnmp = ({ snmp }: SystemFields) => snmp === 'on'
const withSnmpUser = (value: SystemFields) => withSnmp(value) && value.snmpUser !== undefined
const withTraps = (value: SystemFields) => withSnmp(value) && value.snmpTrapHost !== undefined
const withTls = ({ syslog }: SystemFields) => syslog === 'tls'
const withSyslog = ({ syslog }: SystemFields) => syslog !== 'keep'

/** The server by its name; undefined where it has only an address. */
const nameOf = ({ syslogHost }: SystemFields) =>
  syslogHost !== undefined && isDomain(syslogHost) ? syslogHost : undefined

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
      field('syslogPort', { when: withSyslog, beside: true }),
      field('syslogLevel', { when: withSyslog }),
      field('syslogCa', { when: withTls }),
      field('syslogPeer', { when: withTls }),
    ]),
    section('access', ['hostname', 'passwordLogin', 'sshPassword', 'sshKeys']),
    section('management', ['managementVlan']),
    section('lights', ['leds']),
    section('snmp', [
      'snmp',
      field('snmpCommunity', { when: withSnmp }),
      field('snmpUser', { when: withSnmp }),
      field('snmpAuthKey', { when: withSnmpUser }),
      field('snmpPrivKey', { when: withSnmpUser }),
      field('snmpTrapHost', { when: withSnmp }),
      field('snmpTrapPort', { when: withTraps, beside: true }),
    ]),
  ],
  rules: [
    rule(
      'syslogHostRequired',
      'syslogHost',
      (value: SystemFields) => !withSyslog(value) || value.syslogHost !== undefined,
    ),
    rule('required', 'syslogCa', (value: SystemFields) => !withTls(value) || value.syslogCa !== undefined),
    rule(
      'syslogName',
      'syslogPeer',
      (value: SystemFields) => !withTls(value) || (value.syslogPeer ?? nameOf(value)) !== undefined,
    ),
    rule(
      'snmpAccess',
      'snmpCommunity',
      (value: SystemFields) => !withSnmp(value) || (value.snmpCommunity ?? value.snmpUser) !== undefined,
    ),
    ...(['snmpAuthKey', 'snmpPrivKey'] as const).map(key =>
      rule('required', key, (value: SystemFields) => !withSnmpUser(value) || value[key] !== undefined),
    ),
  ],
})
