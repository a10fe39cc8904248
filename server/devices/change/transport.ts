import type { Assessment } from '@/server/drivers/assess'
import type {
  Adopted,
  Driver,
  ForeignItem,
  NativeBlock,
  NativeConfig,
  Pending,
  Proposal,
  PushEvents,
  TakenItem,
  Warning,
} from '@/server/drivers/driver'
import type { Facts } from '@/server/drivers/observation'
import type { DevicePlan, PlanInput } from '@/server/worker/protocol'

type DriverId = Driver<unknown>['id']
type PlanParts = Omit<PlanInput, 'id'>

/**
 * `fresh`: over a connection opened for this call: what proves a push must not come through one that was open before.
 * `endBy`, in ms since 1970: an answer after it is of no use to anybody, and the call ends.
 */
export type Way = { fresh?: boolean; endBy?: number }

/** What the change engine asks of a managed device; the fleet's worker answers. Every call rejects with a DeviceError. */
export type ChangeTransport = {
  /** Reads a device whole, so that something can be planned for it. */
  observe(id: number): Promise<void>
  render(id: number, plan: PlanParts): Promise<DevicePlan>
  /** What on the device is not ours. */
  foreign(id: number, taken: TakenItem[]): Promise<ForeignItem[]>
  /** Documents that say the same as the chosen options. */
  propose(id: number, plan: PlanParts, chosen: TakenItem[], all: ForeignItem[]): Promise<Proposal[]>
  assess(id: number, before: NativeConfig, next: NativeConfig): Promise<Assessment>
  /** For each of these blocks of the device what the documents have to say for it; null where they cannot. */
  adopt(id: number, plan: PlanParts, seen: NativeBlock[]): Promise<{ block: string; adopted: Adopted[] | null }[]>
  /** Devices of a network with the managed one that their way to the manager goes through. */
  uplinks(network: number): Promise<[device: number, parent: number][]>
  /** For each pair whether the device's state (second) counts as the planned one (first). */
  equal(driver: DriverId, pairs: [NativeBlock, NativeBlock][]): Promise<boolean[]>
  facts(id: number, way: Way): Promise<Facts>
  read(id: number, way: Way, taken: TakenItem[]): Promise<NativeConfig>
  push(
    id: number,
    before: NativeConfig,
    next: NativeConfig,
    windowSeconds: number,
    events: PushEvents,
  ): Promise<Pending>
  /** From now on the device is reached at this address. */
  relocate(id: number, address: string): Promise<void>
  confirm(id: number, pending: Pending): Promise<void>
  revert(id: number, pending: Pending): Promise<void>
  state(id: number, pending: Pending): Promise<'waiting' | 'confirmed' | 'reverted' | 'unknown'>
  verify(id: number, next: NativeConfig, endBy: number): Promise<Warning[]>
}
