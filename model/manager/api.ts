import * as z from 'zod'
import { f } from '../fields'
import { section, single } from '../kind'

const fields = z.strictObject({
  enabled: f.boolean().default(false),
  /** Rule S8: whether keys may ask who is where; off by itself after a week without a request. */
  presence: f.boolean().default(false),
})
export type Api = z.output<typeof fields>

/** Whether scripts may call by keys. */
export const api = single({
  id: 'api',
  area: 'api',
  scope: 'manager',
  fields,
  sections: [section('mode', ['enabled', 'presence'])],
  rules: [],
})
