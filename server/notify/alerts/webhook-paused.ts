import type { OnPaused } from '@/server/notify/webhooks/start'
import { raiseAlert } from './raise'

/** Tells the people of a webhook's organization that it is sent nothing more. */
export const alertPausedWebhook: OnPaused = (runtime, { name, organization }) =>
  void raiseAlert(runtime, { type: 'webhookPaused', organization, values: { webhook: name } })
