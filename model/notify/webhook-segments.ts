import * as z from 'zod'
import { normalSegment } from '../addresses'
import { f } from '../fields'
import { section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  segments: f.lines(f.addressOrSegment(), { max: limits.webhookSegments }).default([]),
})
export type WebhookSegments = z.output<typeof fields>

/** Segments of the LANs that the manager stands in, to which webhooks may go. */
export const webhookSegments = single({
  id: 'webhookSegments',
  area: 'api',
  scope: 'manager',
  fields,
  sections: [section('reach', ['segments'])],
  rules: [],
})

/** Each once, as it is compared. */
export const normalSegments = (segments: readonly string[]): string[] => [...new Set(segments.map(normalSegment))]
