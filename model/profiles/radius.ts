import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { type NumberRange, numberRanges } from '../rules'

const fields = z.strictObject({
  name: f.name(),
  /** The manager's own server: its address, ports and secret say themselves. */
  here: f.boolean().default(false),
  /** Rule G3. hostapd asks no DNS: of a domain devices are given the address that the manager finds. */
  server: f.radiusServer().optional(),
  port: f.port().default(1812),
  secret: f.secret(1, 64, { rule: 'G3', sentTo: ['server', 'port'] }).optional(),
  secondServer: f.radiusServer().optional(),
  secondPort: f.port().default(1812),
  secondSecret: f.secret(1, 64, { rule: 'G3', sentTo: ['secondServer', 'secondPort'] }).optional(),
  accounting: f.boolean().default(false),
  accountingPort: f.port().default(1813),
  /** Rule G3. */
  accountingInterval: f.int(30, 604_800, { unit: 'seconds', rule: 'G3' }).default(600),
  /** Rule G3; absent: what names the access point itself. */
  nasId: f.text(48, 'G3').optional(),
  /** Rule G3: what an access point asks for, as Framed-Protocol (RFC 2865 section 5.7); absent: nothing is said of it. */
  protocol: f.int(0, 255, { rule: 'G3' }).optional(),
  /** Rule N15: into which the server puts clients; access points have to be given them. Its own come from its users. */
  vlans: f.vlanList().optional(),
  /** Rule G3: so long an answer is awaited, and so often it is asked again; absent: as the device's software does. */
  retryTimeout: f.int(1, 120, { unit: 'seconds', rule: 'G3' }).optional(),
  retries: f.int(1, 5, { rule: 'G3' }).optional(),
})
type Stored = z.output<typeof fields>
/** As it is asked: of the manager's own server, what is not stored is filled in. */
export type RadiusFields = Omit<Stored, 'server' | 'secret'> & { server: string; secret: string }

/** hostapd has an interface for each of them on each radio. */
export const mostRadiusVlans = 64

const countOf = (ranges: readonly NumberRange[]) => ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)

const elsewhere = (value: Stored) => !value.here
const withSecond = (value: Stored) => value.secondServer !== undefined
const accounts = (value: Stored) => value.accounting
const accountsElsewhere = (value: Stored) => accounts(value) && elsewhere(value)

/** A RADIUS server that decides who joins; Wi-Fi networks with enterprise security refer to one. */
export const radius = kind({
  id: 'radius',
  area: 'profiles',
  scope: 'network',
  max: limits.radiusServers,
  title: 'name',
  columns: ['name', 'here', 'server', 'port', 'accounting', 'secondServer'],
  fields,
  sections: [
    section('server', [
      'name',
      'here',
      field('server', { when: elsewhere }),
      field('port', { when: elsewhere }),
      field('secret', { when: elsewhere }),
      'nasId',
      'protocol',
      field('vlans', { when: elsewhere }),
      'retryTimeout',
      'retries',
    ]),
    section('second', [
      'secondServer',
      field('secondPort', { when: withSecond }),
      field('secondSecret', { when: withSecond }),
    ]),
    section('accounting', [
      'accounting',
      field('accountingPort', { when: accountsElsewhere }),
      field('accountingInterval', { when: accounts }),
    ]),
  ],
  rules: [
    rule('required', 'server', (value: Stored) => value.here || value.server !== undefined),
    rule('required', 'secret', (value: Stored) => value.here || value.secret !== undefined),
    rule('required', 'secondSecret', (value: Stored) => !withSecond(value) || value.secondSecret !== undefined),
    rule('radiusVlansMany', 'vlans', ({ vlans = '' }: Stored) => countOf(numberRanges(vlans) ?? []) <= mostRadiusVlans),
    rule(
      'duplicate',
      'secondServer',
      (value: Stored) => value.secondServer === undefined || value.secondServer !== value.server,
    ),
  ],
})
