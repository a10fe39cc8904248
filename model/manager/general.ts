import * as z from 'zod'
import { meta } from '../field-types'
import { f } from '../fields'
import { field, section, single } from '../kind'
import { limits } from '../limits'
import { localeOf } from '../locales'
import { placeFields } from '../place-fields'

const fields = z.strictObject({
  /** Rule N1. */
  name: f.name(limits.networkNameCharacters, 'N1'),
  /** Of the console by its code. */
  language: meta(z.string().max(16).transform(localeOf), { widget: 'language' }),
  country: placeFields.country(),
  timezone: placeFields.timeZone(),
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
