import * as z from 'zod'
import type { Authority } from '@/model/authority'
import { parseFields } from '@/model/field-errors'
import type { Data } from '@/model/kind'
import { authorityOf, type OwnKindId, ownKindIds, ownPath } from '@/model/registry'
import { receptionSettings } from '@/server/insight/logs/reception'
import { metricsStoreSettings } from '@/server/insight/metrics/store'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { ownEnvelope } from '@/server/kernel/own-fields'
import { type AnyOwnSettings, type OwnSettings, saveOwn, viewOwn } from '@/server/kernel/own-settings'
import { mailSettings } from '@/server/mail/server'
import { backupSettings } from '@/server/manager/backups/schedule'
import { syslogSettings } from '@/server/manager/changelog/syslog'
import { feedbackSettings } from '@/server/manager/feedback/deliver'
import { generalSettings } from '@/server/manager/general/general'
import { noticeSettings } from '@/server/notify/alerts/notices'
import { webhookSettings } from '@/server/notify/webhooks/targets'
import { securitySettings } from '@/server/people/accounts/security'
import { directorySettings } from '@/server/people/federation/ldap/directory'
import { samlSettings } from '@/server/people/federation/saml/provider'
import { apiSettings } from '@/server/people/keys/keys'

/** Each kind of the manager's and of an organization's own settings, with what its area does beside keeping it. */
export const ownSettings: Readonly<Record<OwnKindId, AnyOwnSettings>> = {
  general: generalSettings,
  mailServer: mailSettings,
  security: securitySettings,
  directory: directorySettings,
  saml: samlSettings,
  notices: noticeSettings,
  webhookSegments: webhookSettings,
  backupSchedule: backupSettings,
  syslog: syslogSettings,
  api: apiSettings,
  logReception: receptionSettings,
  metricsStore: metricsStoreSettings,
  feedbackAddress: feedbackSettings,
}

function ownCallsOf<const K extends OwnKindId>(id: K) {
  const own = ownSettings[id] as OwnSettings
  const authority = authorityOf(id)
  return [
    call({
      path: ownPath(id, 'get'),
      scope: 'organization',
      authority,
      changes: false,
      tag: 'manager',
      input: z.strictObject({}),
      run: context => viewOwn(context, own.kind),
    }),
    call({
      path: ownPath(id, 'save'),
      scope: 'organization',
      authority: `${authority}_edit` as Authority,
      changes: true,
      topics: own.topics ?? ['settings'],
      tag: 'manager',
      changelog: 'entry',
      send: 'once',
      // Flat, as with all settings: the kind's own fields beside the revision that was read; or `values`, as it was read.
      input: z.record(z.string(), z.unknown()),
      run(context, { revision, values, damaged, ...given }) {
        const parsed = parseFields(ownEnvelope, { revision, values, damaged })
        const fields = { ...('data' in parsed && parsed.data.values), ...given }
        if ('data' in parsed)
          return { revision: saveOwn(context, own, { revision: parsed.data.revision, fields }).revision }
        const wrong = parseFields(own.kind.fields, fields as Data)
        return fail(
          'invalidInput',
          'data' in wrong ? parsed : { ...wrong, fields: { ...wrong.fields, ...parsed.fields } },
        )
      },
    }),
  ] as const
}

/** Two calls for each of them. */
export const ownCalls = ownKindIds.flatMap(id => [...ownCallsOf(id)])
