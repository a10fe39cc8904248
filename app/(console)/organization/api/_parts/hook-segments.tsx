import { OwnForm } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'

/** Which segments of one's own webhooks may go to: for who keeps the manager. */
export const HookSegments = ({ spec }: { spec: KindSpec<'webhookSegments'> }) => (
  <OwnForm spec={spec} changes={['webhooks/get']} />
)
