import * as z from 'zod'
import { f } from '../fields'
import { field, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  /** Rule N1. */
  name: f.name(limits.networkNameCharacters, 'N1'),
  language: f.language(),
  country: f.country(),
  timezone: f.timeZone(),
})
export type General = z.output<typeof fields>

/** As it is before the setup asked. */
export const generalAtFirst: General = { name: 'Lanward', language: 'en', country: 'US', timezone: 'UTC' }

/** What the manager is called, and where it stands: the setup asks for it, and this changes it. */
export const general = single({
  id: 'general',
  area: 'manager',
  scope: 'manager',
  title: 'name',
  fields,
  sections: [section('name', ['name', 'language']), section('place', ['country', field('timezone', { beside: true })])],
  rules: [],
})
