import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import type { ResetCycle } from '../reset-cycle'

const fields = z.strictObject({
  name: f.name(),
  enabled: f.boolean().default(true),
  target: f.choice(['clients', 'ssid']).default('clients'),
  /** Rule N4. */
  macs: f.lines(f.mac(), { max: limits.timePolicyMacs }).default([]),
  ssid: f.ref('ssid').optional(),
  /** Rule G21: how long each client may be connected until the next reset. */
  days: f.int(0, 365, { unit: 'days', rule: 'G21' }).default(0),
  hours: f.int(0, 23, { unit: 'hours', rule: 'G21' }).default(2),
  minutes: f.int(0, 59, { unit: 'minutes', rule: 'G21' }).default(0),
  /** Rule G15: each so many days what was used counts from 0 again; 0: never. */
  resetDays: f.int(limits.resetDays.min, limits.resetDays.max, { unit: 'days', rule: 'G15' }).default(1),
  /** Rule G15: by the clock of the network. */
  resetTime: f.time().default('00:00'),
})
export type TimePolicyValues = z.output<typeof fields>

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A Monday, from which days are counted: every seven days is each Monday. */
const firstMonday = 4 * dayMs + dayMs / 2

type Lasting = Pick<TimePolicyValues, 'days' | 'hours' | 'minutes'>
export const allowedMs = ({ days, hours, minutes }: Lasting): number => ((days * 24 + hours) * 60 + minutes) * minuteMs

/** Without a reset there is no time of it. */
type Reset = Pick<TimePolicyValues, 'resetDays'> & Partial<Pick<TimePolicyValues, 'resetTime'>>
/** When the time that a policy allows begins anew. */
export function cycleOf({ resetDays, resetTime = '00:00' }: Reset): ResetCycle {
  const [hours = 0, minutes = 0] = resetTime.split(':').map(Number)
  return { resetDays, resetHour: hours + minutes / 60, createdAt: firstMonday }
}

const about = (target: TimePolicyValues['target']) => ({ when: (value: TimePolicyValues) => value.target === target })
const macsOf = (value: TimePolicyValues) => (value.target === 'clients' ? value.macs : [])

/**
 * How long clients may be connected, each by its MAC address, until the time begins anew. The manager counts, and blocks whose
 * time is used up.
 */
export const timePolicy = kind({
  id: 'timePolicy',
  area: 'firewall',
  scope: 'network',
  max: limits.timePolicies,
  title: 'name',
  columns: ['enabled', 'name', 'target', 'days', 'hours', 'minutes', 'resetDays', 'resetTime'],
  fields,
  sections: [
    section('basic', ['name', 'enabled']),
    section('who', ['target', field('macs', about('clients')), field('ssid', about('ssid'))]),
    section('time', ['days', field('hours', { beside: true }), field('minutes', { beside: true })]),
    section('reset', [
      'resetDays',
      field('resetTime', { when: (value: TimePolicyValues) => value.resetDays > 0, beside: true }),
    ]),
  ],
  rules: [
    rule('required', 'macs', (value: TimePolicyValues) => value.target !== 'clients' || value.macs.length > 0),
    rule('required', 'ssid', (value: TimePolicyValues) => value.target !== 'ssid' || value.ssid !== undefined),
    // Of two policies neither would be the client's, so that one says which.
    rule(
      'timePolicyMac',
      'macs',
      (value: TimePolicyValues, others) =>
        !others.some(other => macsOf(other).some(mac => macsOf(value).includes(mac))),
    ),
    rule(
      'timePolicySsid',
      'ssid',
      (value: TimePolicyValues, others) =>
        value.target !== 'ssid' || !others.some(other => other.target === 'ssid' && other.ssid === value.ssid),
    ),
    // Rule G21.
    rule('durationZero', 'minutes', (value: TimePolicyValues) => allowedMs(value) > 0),
    rule(
      'timePolicyLong',
      'minutes',
      (value: TimePolicyValues) => value.resetDays === 0 || allowedMs(value) < value.resetDays * dayMs,
    ),
  ],
})
