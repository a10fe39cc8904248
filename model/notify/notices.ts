import * as z from 'zod'
import { isReceiver } from '../email'
import { f } from '../fields'
import { rule, section, single } from '../kind'
import { limits } from '../limits'

const fields = z.strictObject({
  mode: f.choice(['off', 'mail']).default('off'),
  /** Only alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
  level: f.choice(['5', '10', '15'], { menu: true }).default('15'),
  to: f.lines(f.email(), { max: limits.noticeRecipients }).optional(),
})
export type Notices = z.output<typeof fields>

/** How an organization's alerts are told by mail. */
export const notices = single({
  id: 'notices',
  area: 'alerts',
  scope: 'organization',
  title: 'mode',
  fields,
  sections: [section('mail', ['mode', 'level', 'to'])],
  rules: [
    rule<Notices>('required', 'to', v => v.mode === 'off' || (v.to?.length ?? 0) > 0),
    rule<Notices>('receiverLong', 'to', v => (v.to ?? []).every(isReceiver)),
  ],
})
