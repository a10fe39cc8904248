import * as z from 'zod'
import { addressOrSegmentProblem, normalSegment } from '@/model/addresses'
import { limits } from '@/model/limits'
import { call } from '@/server/kernel/call'
import { saveOwn } from '@/server/kernel/own-settings'
import { webhookSettings } from './targets'

const segment = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const problem = addressOrSegmentProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform(normalSegment)

const segments = call({
  scope: 'organization',
  // About the LANs that the manager itself stands in.
  authority: 'organization_manager_edit',
  path: 'webhooks/segments/save',
  topics: ['webhooks'],
  tag: 'api',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ segments: z.array(segment).max(limits.webhookSegments, 'tooMany') }),
  run(context, input) {
    const fields = { segments: [...new Set(input.segments)] }
    return { segments: saveOwn(context, webhookSettings, { fields }).values.segments }
  },
})

export const segmentCalls = [segments] as const
