import { importStates } from '@/server/devices/link/import-store'
import type { WarningCode } from '@/server/drivers/words'
import type { Lock, LockReader } from '@/server/networks/settings/locks'
import type { Engine } from './plan'

/** What a device says to a value of these fields tells whether it can have any. */
const tried: Readonly<Record<string, Record<string, unknown>>> = { system: { managementVlan: 2 } }

type Told = { field: string; lock: Lock }
const told: Partial<Record<WarningCode, Told>> = {
  managementByDhcp: { field: 'managementVlan', lock: 'byDhcp' },
  managementGateway: { field: 'managementVlan', lock: 'gateway' },
  'systemOption.managementVlan': { field: 'managementVlan', lock: 'unable' },
}

/** Told from the device's last reading; nothing of one that was never read. */
export const newLockReader = ({ runtime, transport, confirmSeconds }: Engine): LockReader => ({
  async read(device, kind) {
    const data = tried[kind]
    if (!data) return {}
    const documents = [{ id: kind, kind, name: '', data }]
    const imported = importStates(runtime, device)
    const plan = await transport.render({ id: device, documents, confirmSeconds, imported }).catch(() => undefined)
    const locks = plan?.facts ? plan.warnings.flatMap(({ code }) => told[code] ?? []) : []
    return Object.fromEntries(locks.map(({ field, lock }) => [field, lock]))
  },
})
