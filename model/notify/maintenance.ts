import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(limits.apiKeyNameCharacters),
  repeat: f.choice(['once', 'weekly'], { menu: true }).default('once'),
  date: f.date().optional(),
  weekday: f.weekday().optional(),
  time: f.time(),
  minutes: f.int(5, 10_080, { unit: 'minutes' }).default(120),
})
export type Maintenance = z.output<typeof fields>

const isOnce = ({ repeat }: Maintenance) => repeat === 'once'

/** A time in which nobody is told of alerts of a network, or of some of its devices. By the network's clock. */
export const maintenance = single({
  id: 'maintenance',
  area: 'alerts',
  title: 'name',
  fields,
  sections: [
    section('window', [
      'name',
      'repeat',
      field('date', { when: isOnce }),
      field('weekday', { when: (v: Maintenance) => !isOnce(v) }),
      'time',
      'minutes',
    ]),
  ],
  rules: [
    rule<Maintenance>('required', 'date', v => !isOnce(v) || v.date !== undefined),
    rule<Maintenance>('required', 'weekday', v => isOnce(v) || v.weekday !== undefined),
  ],
})
