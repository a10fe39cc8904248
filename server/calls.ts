import type * as z from 'zod'
import { accountCalls } from '@/server/accounts/calls'
import { emailCalls } from '@/server/accounts/email-calls'
import { mfaCalls } from '@/server/accounts/mfa-calls'
import { recoveryCalls } from '@/server/accounts/recovery-calls'
import { securityCalls } from '@/server/accounts/security-calls'
import { sessionCalls } from '@/server/accounts/session-calls'
import { signInCalls } from '@/server/accounts/sign-in-calls'
import { whitelistCalls } from '@/server/accounts/whitelist-calls'
import { alertCalls } from '@/server/alerts/calls'
import { backupCalls } from '@/server/backups/calls'
import { changeCalls } from '@/server/change/calls'
import { portCalls } from '@/server/change/port-calls'
import { takeoverCalls } from '@/server/change/takeover-calls'
import { changelogCalls } from '@/server/changelog/calls'
import { companyCalls } from '@/server/companies/calls'
import { developerCalls } from '@/server/developer-api/calls'
import { describeCall } from '@/server/developer-api/describe-call'
import { feedbackCalls } from '@/server/feedback/calls'
import { adoptCalls } from '@/server/fleet/adopt-calls'
import { clientCalls } from '@/server/fleet/client-calls'
import { credentialCalls } from '@/server/fleet/credential-calls'
import { dashboardCalls } from '@/server/fleet/dashboard-calls'
import { deviceCalls } from '@/server/fleet/device-calls'
import { editCalls } from '@/server/fleet/edit-calls'
import { sourceCalls } from '@/server/fleet/source-calls'
import { transferCalls } from '@/server/fleet/transfer-calls'
import { guideCalls } from '@/server/guide/calls'
import type { AnyCall } from '@/server/kernel/call'
import { directoryCalls } from '@/server/ldap/settings-calls'
import { mailCalls } from '@/server/mail/calls'
import { managerCalls } from '@/server/manager/calls'
import { networkCalls } from '@/server/networks/calls'
import { groupCalls } from '@/server/networks/group-calls'
import { shareCalls } from '@/server/networks/share-calls'
import { transferCalls as networkTransferCalls } from '@/server/networks/transfer-calls'
import { ownCalls, ownSettings } from '@/server/own'
import { roleCalls } from '@/server/roles/calls'
import { ssoCalls } from '@/server/saml/calls'
import { samlCalls } from '@/server/saml/settings-calls'
import { settingsCalls } from '@/server/settings/calls'
import { activationCalls } from '@/server/users/activation'
import { userCalls } from '@/server/users/calls'
import { userMfaCalls } from '@/server/users/mfa-calls'
import { ownAccountCalls } from '@/server/users/own'
import { signUpCalls } from '@/server/users/sign-up-calls'
import { webhookCalls } from '@/server/webhooks/calls'
import { deliveryCalls } from '@/server/webhooks/delivery-calls'
import { wizardCalls } from '@/server/wizard/calls'
import { wizardDeviceCalls } from '@/server/wizard/device-calls'
import { licenceCalls } from './licences/calls'

/** Every call of the manager. One line an area. */
export const calls = [
  ...accountCalls,
  ...recoveryCalls,
  ...emailCalls,
  ...roleCalls,
  ...signInCalls,
  ...mfaCalls,
  ...securityCalls,
  ...sessionCalls,
  ...whitelistCalls,
  ...ssoCalls,
  ...samlCalls,
  ...directoryCalls,
  ...userCalls,
  ...userMfaCalls,
  ...activationCalls,
  ...signUpCalls,
  ...ownAccountCalls,
  ...ownCalls,
  ...guideCalls,
  ...feedbackCalls,
  ...licenceCalls,
  ...managerCalls,
  ...networkCalls,
  ...shareCalls,
  ...networkTransferCalls,
  ...companyCalls,
  ...groupCalls,
  ...wizardCalls,
  ...wizardDeviceCalls,
  ...settingsCalls,
  ...sourceCalls,
  ...backupCalls,
  ...changeCalls,
  ...takeoverCalls,
  ...portCalls,
  ...deviceCalls,
  ...editCalls,
  ...adoptCalls,
  ...transferCalls,
  ...credentialCalls,
  ...dashboardCalls,
  ...clientCalls,
  ...alertCalls,
  ...changelogCalls(ownSettings),
  ...mailCalls,
  ...developerCalls,
  ...webhookCalls,
  ...deliveryCalls,
  describeCall((): readonly AnyCall[] => calls as readonly AnyCall[]),
] as const

type All = (typeof calls)[number]
// A strict empty object is typed as a record of nothing, which would forbid the network beside it.
type WithNetwork<I> = string extends keyof I ? { networkId?: number } : I & { networkId?: number }
/** Path → what goes in and what comes back, for `callApi` and `useCall` in the browser. */
export type CallMap = {
  [C in All as C['path']]: {
    input: C['scope'] extends 'network' ? WithNetwork<z.input<C['input']>> : z.input<C['input']>
    output: Exclude<Awaited<ReturnType<C['run']>>, Response>
  }
}
