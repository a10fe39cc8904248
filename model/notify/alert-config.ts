import * as z from 'zod'
import { f } from '../fields'
import { alertFacts, delayed, severityKeys, switchable, type ThresholdField, thresholds } from './catalogue'

const limitOf = ({ min, max, normal, unit }: (typeof thresholds)[number] & { unit?: 'percent' }) =>
  f.int(min, max, unit && { unit }).default(normal)
const limits = Object.fromEntries(thresholds.map(one => [one.field, limitOf(one)])) as Record<
  ThresholdField,
  ReturnType<typeof limitOf>
>

/** What a network's people are told of, and from when on. */
export const alertConfig = z.strictObject({
  /** Rule W11: so long a device has to be offline before anybody is told. */
  offlineMinutes: f.int(2, 120, { unit: 'minutes', rule: 'W11' }).default(2),
  off: z
    .array(z.enum(switchable))
    .max(switchable.length)
    .default(switchable.filter(type => alertFacts[type].switchable === 'off')),
  /** So long a value has to be too high. */
  levelMinutes: f.int(1, 120, { unit: 'minutes' }).default(5),
  ...limits,
  /** How grave alerts are here that the catalogue takes otherwise: 5 emergency, 10 warning, 15 notice. */
  severities: z.partialRecord(z.enum(severityKeys), z.union([z.literal(5), z.literal(10), z.literal(15)])).default({}),
  /**
   * Minutes that a trouble has to last before anybody is told. Without one a value that is watched has to be too high for
   * `levelMinutes`, and others are told of at once.
   */
  delays: z.partialRecord(z.enum(delayed), f.int(0, 120, { unit: 'minutes' })).default({}),
  /** By the network's clock; what is not at least that grave is told at their end, all in one. */
  quiet: f.boolean().default(false),
  quietFrom: f.time().default('22:00'),
  quietUntil: f.time().default('07:00'),
  quietLevel: f.choice(['5', '10'], { menu: true }).default('5'),
})
export type AlertConfig = z.output<typeof alertConfig>
