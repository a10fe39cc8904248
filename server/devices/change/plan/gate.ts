import type { Runtime } from '@/server/kernel/runtime'
import type { PlanInput } from '@/server/worker/protocol'
import { portalName } from './portal-name'

/** By which the portal knows that a gateway of this network sent a guest, 64 hexadecimal digits. */
export const gateKey = ({ secrets }: Pick<Runtime, 'secrets'>, network: number): string =>
  secrets.mac(String(network), 'portal')

/** What the plans of a network's devices are told of the portal; nothing where the manager has none. */
export function portalFor(runtime: Runtime, network: number): Pick<PlanInput, 'portal'> {
  const { portalPort: port } = runtime.config
  if (port === 0) return {}
  const named = portalName(runtime.config)
  const api = 'name' in named ? { api: { name: named.name, known: named.known } } : {}
  return { portal: { port, key: gateKey(runtime, network), ...api } }
}
