import type { HookNews } from '@/server/notify/webhooks/start'
import { closeOwn, raiseAlert } from './raise'

/** Tells the people of a webhook's organization that it is sent nothing more, until somebody turns it on, off or deletes it. */
export const webhookAlerts: HookNews = {
  paused: (runtime, { id, name, organization }) =>
    void raiseAlert(runtime, { type: 'webhookPaused', organization, values: { webhook: name, id } }),
  decided: (runtime, { id, organization }) =>
    void closeOwn(runtime, 'webhookPaused', { organization, values: { id }, same: 'id' }),
}
