import * as z from 'zod'
import { f } from '../fields'
import { section, single } from '../kind'

const fields = z.strictObject({ enabled: f.boolean().default(false) })
export type Api = z.output<typeof fields>

/** Whether scripts may call by keys. */
export const api = single({
  id: 'api',
  area: 'api',
  scope: 'manager',
  fields,
  sections: [section('mode', ['enabled'])],
  rules: [],
})
