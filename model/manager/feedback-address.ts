import * as z from 'zod'
import { f } from '../fields'
import { section, single } from '../kind'

const fields = z.strictObject({ address: f.email().optional() })
export type FeedbackAddress = z.output<typeof fields>

/** Where feedback goes by mail; without an address it stays on the manager. */
export const feedbackAddress = single({
  id: 'feedbackAddress',
  area: 'feedback',
  scope: 'manager',
  fields,
  sections: [section('where', ['address'])],
  rules: [],
})
