import * as z from 'zod'
import { f } from '../fields'
import { kind, section } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  /** Rule N4. */
  mac: f.mac(),
  note: f.text(64).optional(),
  until: f.instant().optional(),
})
export type BlockedValues = z.output<typeof fields>

/** A client that is let into no network of the site, for good or until a moment. Rule W13: 1000 in all. */
export const blockedClient = kind({
  id: 'blockedClient',
  area: 'firewall',
  scope: 'network',
  max: limits.macsPerNetwork,
  title: 'mac',
  columns: ['mac', 'note', 'until'],
  fields,
  sections: [section('basic', ['mac', 'note', 'until'])],
  rules: [],
})
