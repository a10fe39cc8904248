import * as z from 'zod'
import { f } from '../fields'
import { kind, rule, section } from '../kind'
import { limits } from '../limits'
import { wpaKeyProblem } from '../rules'

const fields = z.strictObject({
  name: f.name(),
  enabled: f.boolean().default(true),
  /** Rule W2. */
  key: f.wifiKey(),
  /** None: every network with private keys. */
  ssid: f.ref('ssid').optional(),
  /** Rule N13; absent: the network's own. */
  vlan: f.ssidVlan().optional(),
  /** Rule N4; absent: whoever has the key. */
  mac: f.mac().optional(),
})
export type PpskFields = z.output<typeof fields>

/** Nobody could say which of the two it is. */
const same = (one: PpskFields, other: PpskFields) =>
  one.key === other.key &&
  one.mac === other.mac &&
  (one.ssid === other.ssid || one.ssid === undefined || other.ssid === undefined)

/** A key of its own for a person, a room or a machine, in networks whose security is private keys. */
export const ppsk = kind({
  id: 'ppsk',
  area: 'profiles',
  scope: 'network',
  max: limits.privateKeys,
  title: 'name',
  columns: ['enabled', 'name', 'ssid', 'vlan', 'mac'],
  fields,
  sections: [section('who', ['name', 'enabled', 'key', 'mac']), section('where', ['ssid', 'vlan'])],
  rules: [
    rule('wpaKey', 'key', (value: PpskFields) => !wpaKeyProblem(value.key)),
    rule('privateKeyTwice', 'key', (value: PpskFields, others) => !others.some(other => same(value, other))),
  ],
})
