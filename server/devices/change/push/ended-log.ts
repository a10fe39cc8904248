import { appendLog, type LogAction } from '@/server/kernel/changelog'
import type { Runtime } from '@/server/kernel/runtime'
import { pushReason } from '@/server/notify/alerts/sentence'
import { type DeploymentRow, type DeploymentState, type runningStates, valuesOf } from '../plan/deployments'
import type { DeviceRow } from '../plan/plan'

type Ended = Exclude<DeploymentState, (typeof runningStates)[number]>

const actionOf = {
  applied: 'push',
  partial: 'pushPartly',
  reverted: 'pushReverted',
  failed: 'pushFailed',
  unknown: 'pushUnknown',
} as const satisfies Record<Ended, LogAction>

/**
 * How a push ended, in the transaction that ends it: entries stay as they are, and that it began was written before. Why
 * stands in words, so that each copy of the log can be read by itself. It ends by itself, so there is no address.
 */
export function logEnded({ db, secrets }: Runtime, row: DeploymentRow, state: Ended, device: DeviceRow): void {
  const { by, restores, reason, detail, endedAt } = row
  const why = pushReason({ ...valuesOf(row), reason: reason || detail, detail })
  appendLog(db, secrets, {
    ...{ organization: device.organization, network: device.network, at: endedAt ?? Date.now() },
    ...{ account: by, address: '', object: 'device', name: device.name },
    action: state === 'applied' && restores ? 'restore' : actionOf[state],
    fields: reason || detail ? { reason: [null, why] } : {},
  })
}
