import * as z from 'zod'
import { f } from '../fields'
import { deviceRule, kind, rule, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  name: f.name(32),
  enabled: f.boolean().default(true),
  lans: f.refs('lan').default([]),
  /** Rule P1. */
  sources: f.lines(f.cidr4(), { max: limits.addressesPerRule }).default([]),
  wans: f.refs('wan', limits.wansPerNetwork).default([]),
  mode: f.choice(['failover', 'balance']).default('failover'),
  strict: f.boolean().default(false),
})
export type SourceValues = z.output<typeof fields>

const shares = (a: readonly string[], b: readonly string[]) => a.some(one => b.includes(one))

/** Whose traffic takes which of the ways to the internet. */
export const internetSource = kind({
  id: 'internetSource',
  area: 'internet',
  scope: 'network',
  max: limits.internetSources,
  title: 'name',
  columns: ['enabled', 'name', 'lans', 'sources', 'wans', 'mode'],
  fields,
  sections: [
    section('basic', ['name', 'enabled']),
    section('who', ['lans', 'sources']),
    section('ways', ['wans', 'mode', 'strict']),
  ],
  rules: [
    rule('sourceRequired', 'lans', (value: SourceValues) => value.lans.length + value.sources.length > 0),
    rule('required', 'wans', (value: SourceValues) => (value.wans ?? []).length > 0),
    // Rule N23.
    deviceRule('sourceTaken', 'lans', (value: SourceValues, others) =>
      others.every(other => !shares(other.lans, value.lans)),
    ),
    deviceRule('sourceTaken', 'sources', (value: SourceValues, others) =>
      others.every(other => !shares(other.sources, value.sources)),
    ),
  ],
})
