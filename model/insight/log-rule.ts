import * as z from 'zod'
import { f } from '../fields'
import { field, kind, rule, section } from '../kind'
import { limits } from '../limits'
import { facilities } from './facilities'
import { isPattern } from './log-pattern'

/** Which lines count, and how many of one device within which time are an alert. */
export const logRuleTerms = z.strictObject({
  /** With `*` for anything; absent: whatever a line says. */
  text: f.text().optional(),
  /** At least so grave. */
  severity: f.choice(['any', '0', '1', '2', '3', '4', '5', '6', '7'], { menu: true }).default('any'),
  facility: f.choice(['any', ...facilities], { menu: true }).default('any'),
  count: f.int(1, limits.logRuleLines).default(1),
  minutes: f.int(1, 1440, { unit: 'minutes' }).default(10),
  /** The alert ends so long after the last such line. */
  quietMinutes: f.int(1, 1440, { unit: 'minutes' }).default(10),
})
export type LogRuleTerms = z.output<typeof logRuleTerms>

const fields = logRuleTerms.extend({
  name: f.name(limits.logRuleNameCharacters),
  enabled: f.boolean().default(true),
  /** 5 emergency, 10 warning, 15 notice. */
  level: f.choice(['5', '10', '15'], { menu: true }).default('10'),
  /** What the alert says; absent: the rule's name. */
  message: f.text(limits.logRuleMessageCharacters).optional(),
})
export type LogRule = z.output<typeof fields>

/** Makes an alert of lines that devices log. Of the manager alone: it reaches no device. */
export const logRule = kind({
  id: 'logRule',
  area: 'logRules',
  scope: 'network',
  max: limits.logRules,
  title: 'name',
  columns: ['name', 'enabled', 'text', 'severity', 'level'],
  fields,
  sections: [
    section('rule', ['name', 'enabled']),
    section('lines', ['text', 'severity', field('facility', { beside: true })]),
    section('times', ['count', field('minutes', { when: (value: LogRule) => value.count > 1, beside: true })]),
    section('alert', ['level', 'message', 'quietMinutes']),
  ],
  rules: [
    rule('logPattern', 'text', (value: LogRule) => value.text === undefined || isPattern(value.text)),
    rule(
      'logRuleTerms',
      'text',
      (value: LogRule) => value.text !== undefined || value.severity !== 'any' || value.facility !== 'any',
    ),
  ],
})
