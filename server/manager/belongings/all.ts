import { adoptionBelongings } from '@/server/devices/adoption/belongings'
import { changeBelongings } from '@/server/devices/change/belongings'
import { clientBelongings } from '@/server/devices/clients/belongings'
import { incidentBelongings } from '@/server/devices/incidents/belongings'
import { linkBelongings } from '@/server/devices/link/belongings'
import { mediaBelongings } from '@/server/guests/media/belongings'
import { portalBelongings } from '@/server/guests/portal/belongings'
import { radiusBelongings } from '@/server/guests/radius/belongings'
import { guestBelongings } from '@/server/guests/sessions/belongings'
import { voucherBelongings } from '@/server/guests/vouchers/belongings'
import { dashboardBelongings } from '@/server/insight/dashboard/belongings'
import { logBelongings } from '@/server/insight/logs/belongings'
import { topologyBelongings } from '@/server/insight/topology/belongings'
import type { Belonging } from '@/server/kernel/belonging'
import { kernelBelongings } from '@/server/kernel/belongings'
import { fileBelongings } from '@/server/kernel/files/belongings'
import { mailBelongings } from '@/server/mail/belongings'
import { feedbackBelongings } from '@/server/manager/feedback/belongings'
import { certificateBelongings } from '@/server/networks/certificates/belongings'
import { groupBelongings } from '@/server/networks/groups/belongings'
import { networkBelongings } from '@/server/networks/networks/belongings'
import { organizationBelongings } from '@/server/networks/organizations/belongings'
import { settingsBelongings } from '@/server/networks/settings/belongings'
import { sharingBelongings } from '@/server/networks/sharing/belongings'
import { alertBelongings } from '@/server/notify/alerts/belongings'
import { targetBelongings } from '@/server/notify/targets/belongings'
import { webhookBelongings } from '@/server/notify/webhooks/belongings'
import { accessBelongings } from '@/server/people/access/belongings'
import { accountBelongings } from '@/server/people/accounts/belongings'
import { federationBelongings } from '@/server/people/federation/belongings'
import { keyBelongings } from '@/server/people/keys/belongings'
import { roleBelongings } from '@/server/people/roles/belongings'
import { signInBelongings } from '@/server/people/sign-in/belongings'
import { userBelongings } from '@/server/people/users/belongings'

/** All tables, with whose their rows are and what becomes of them. */
export const allBelongings: readonly Belonging[] = [
  ...adoptionBelongings,
  ...changeBelongings,
  ...clientBelongings,
  ...incidentBelongings,
  ...linkBelongings,
  ...mediaBelongings,
  ...portalBelongings,
  ...radiusBelongings,
  ...guestBelongings,
  ...voucherBelongings,
  ...dashboardBelongings,
  ...logBelongings,
  ...topologyBelongings,
  ...kernelBelongings,
  ...fileBelongings,
  ...mailBelongings,
  ...certificateBelongings,
  ...groupBelongings,
  ...networkBelongings,
  ...organizationBelongings,
  ...settingsBelongings,
  ...sharingBelongings,
  ...alertBelongings,
  ...targetBelongings,
  ...webhookBelongings,
  ...accessBelongings,
  ...accountBelongings,
  ...federationBelongings,
  ...keyBelongings,
  ...roleBelongings,
  ...signInBelongings,
  ...userBelongings,
  ...feedbackBelongings,
]
