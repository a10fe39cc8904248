import type * as z from 'zod'
import { adoptCalls } from '@/server/devices/adoption/calls'
import { changeCalls } from '@/server/devices/change/calls'
import { importCalls } from '@/server/devices/change/import-calls'
import { leftOutCalls } from '@/server/devices/change/left-out-calls'
import { portCalls } from '@/server/devices/change/ports/port-calls'
import { clientCalls } from '@/server/devices/clients/calls'
import { leaseCalls } from '@/server/devices/gateways/lease-calls'
import { wanCalls } from '@/server/devices/gateways/wan-calls'
import { powerCalls } from '@/server/devices/incidents/power-calls'
import { deviceCalls } from '@/server/devices/inventory/calls'
import { credentialCalls } from '@/server/devices/inventory/credential-calls'
import { editCalls } from '@/server/devices/inventory/edit-calls'
import { deviceExportCalls } from '@/server/devices/inventory/export-calls'
import { fileCalls } from '@/server/devices/inventory/file-calls'
import { loginCalls } from '@/server/devices/inventory/login-calls'
import { sourceCalls } from '@/server/devices/inventory/source-calls'
import { sshKeyCalls } from '@/server/devices/inventory/ssh-key-calls'
import { wifiCalls } from '@/server/devices/wifi/calls'
import { mediaCalls } from '@/server/guests/media/calls'
import { portalCalls } from '@/server/guests/portal/calls'
import { radiusCalls } from '@/server/guests/radius/here/calls'
import { guestCalls } from '@/server/guests/sessions/calls'
import { voucherCalls } from '@/server/guests/vouchers/calls'
import { voucherDeskCalls } from '@/server/guests/vouchers/desk/calls'
import { voucherGroupCalls } from '@/server/guests/vouchers/group-calls'
import { voucherPrintCalls } from '@/server/guests/vouchers/print-calls'
import { voucherTemplateCalls } from '@/server/guests/vouchers/template-calls'
import { dashboardCalls } from '@/server/insight/dashboard/calls'
import { logCalls } from '@/server/insight/logs/calls'
import { captureCalls } from '@/server/insight/logs/capture-calls'
import { metricsCalls } from '@/server/insight/metrics/calls'
import { recordCalls } from '@/server/insight/records/calls'
import { searchCalls } from '@/server/insight/search/calls'
import { topologyCalls } from '@/server/insight/topology/calls'
import { troubleshootingCalls } from '@/server/insight/troubleshooting/calls'
import type { AnyCall } from '@/server/kernel/call'
import { developerCalls } from '@/server/manager/api/calls'
import { backupCalls } from '@/server/manager/backups/calls'
import { managerCalls } from '@/server/manager/certificate/calls'
import { changelogCalls } from '@/server/manager/changelog/calls'
import { feedbackCalls } from '@/server/manager/feedback/calls'
import { guideCalls } from '@/server/manager/guide/calls'
import { licenceCalls } from '@/server/manager/licences/calls'
import { mailCalls } from '@/server/manager/mail/calls'
import { wizardCalls } from '@/server/manager/wizard/calls'
import { wizardDeviceCalls } from '@/server/manager/wizard/device-calls'
import { wizardRestoreCalls } from '@/server/manager/wizard/restore-calls'
import { certificateCalls } from '@/server/networks/certificates/calls'
import { groupCalls } from '@/server/networks/groups/calls'
import { networkCalls } from '@/server/networks/networks/calls'
import { copyCalls } from '@/server/networks/networks/copy-calls'
import { handOverCalls } from '@/server/networks/networks/hand-over-calls'
import { tagCalls } from '@/server/networks/networks/tag-calls'
import { companyCalls } from '@/server/networks/organizations/calls'
import { settingsCalls } from '@/server/networks/settings/calls'
import { shareCalls } from '@/server/networks/sharing/calls'
import { alertCalls } from '@/server/notify/alerts/calls'
import { alertConfigCalls } from '@/server/notify/alerts/config-calls'
import { incidentCalls } from '@/server/notify/alerts/incident-calls'
import { maintenanceCalls } from '@/server/notify/alerts/maintenance-calls'
import { noticeTargetCalls } from '@/server/notify/targets/calls'
import { webhookCalls } from '@/server/notify/webhooks/calls'
import { deliveryCalls } from '@/server/notify/webhooks/delivery-calls'
import { segmentCalls } from '@/server/notify/webhooks/segment-calls'
import { directoryCalls } from '@/server/people/federation/ldap/settings-calls'
import { ssoCalls } from '@/server/people/federation/saml/calls'
import { samlCalls } from '@/server/people/federation/saml/settings-calls'
import { roleCalls } from '@/server/people/roles/calls'
import { activationCalls } from '@/server/people/sign-in/activation'
import { accountCalls } from '@/server/people/sign-in/calls'
import { emailCalls } from '@/server/people/sign-in/email-calls'
import { mfaCalls } from '@/server/people/sign-in/mfa-calls'
import { ownAccountCalls } from '@/server/people/sign-in/own'
import { recoveryCalls } from '@/server/people/sign-in/recovery-calls'
import { securityCalls } from '@/server/people/sign-in/security-calls'
import { sessionCalls } from '@/server/people/sign-in/session-calls'
import { signInCalls } from '@/server/people/sign-in/sign-in-calls'
import { whitelistCalls } from '@/server/people/sign-in/whitelist-calls'
import { userCalls } from '@/server/people/users/calls'
import { userMfaCalls } from '@/server/people/users/mfa-calls'
import { signUpCalls } from '@/server/people/users/sign-up-calls'
import { describeCall } from './describe-call'
import { ownCalls, ownSettings } from './own-settings'

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
  ...tagCalls,
  ...copyCalls,
  ...shareCalls,
  ...handOverCalls,
  ...companyCalls,
  ...groupCalls,
  ...certificateCalls,
  ...wizardCalls,
  ...wizardDeviceCalls,
  ...wizardRestoreCalls,
  ...settingsCalls,
  ...sourceCalls,
  ...backupCalls,
  ...changeCalls,
  ...leftOutCalls,
  ...importCalls,
  ...portCalls,
  ...deviceCalls,
  ...editCalls,
  ...loginCalls,
  ...deviceExportCalls,
  ...powerCalls,
  ...adoptCalls,
  ...fileCalls,
  ...credentialCalls,
  ...sshKeyCalls,
  ...voucherGroupCalls,
  ...voucherCalls,
  ...voucherPrintCalls,
  ...voucherDeskCalls,
  ...voucherTemplateCalls,
  ...dashboardCalls,
  ...metricsCalls,
  ...searchCalls,
  ...topologyCalls,
  ...logCalls,
  ...captureCalls,
  ...recordCalls,
  ...troubleshootingCalls,
  ...clientCalls,
  ...guestCalls,
  ...radiusCalls,
  ...mediaCalls,
  ...portalCalls,
  ...wifiCalls,
  ...wanCalls,
  ...leaseCalls,
  ...alertCalls,
  ...alertConfigCalls,
  ...incidentCalls,
  ...maintenanceCalls,
  ...noticeTargetCalls,
  ...changelogCalls(ownSettings),
  ...mailCalls,
  ...developerCalls,
  ...webhookCalls,
  ...segmentCalls,
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
