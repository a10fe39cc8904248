import type { OnPaused } from '@/server/webhooks/start'
import { raiseAlert } from './raise'

/** Tells the people of a webhook's organization that it is sent nothing more. */
export const alertPausedWebhook: OnPaused = (runtime, { name, organization }) =>
  void raiseAlert(runtime, { type: 'webhookPaused', level: 10, organization, values: { webhook: name } })
