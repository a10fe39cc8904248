/** By the number that is stored and told to scripts (specification section 4). */
const states = ['offline', 'online', 'unpaired', 'paired'] as const
/** `silent`: it counts as online yet, and its last poll had no answer. */
export type DeviceState = (typeof states)[number] | 'silent'

/** Why a last poll had no answer; other reasons are those of a device that does answer. */
export const silentReasons = ['noRoute', 'timeout', 'refused', 'closed'] as const

/** How a device stands: the one judgement of it. What is not `online` is shown nowhere as live. */
export function deviceState({ status, reason = '' }: { status: number; reason?: string }): DeviceState {
  if (status === 1 && (silentReasons as readonly string[]).includes(reason)) return 'silent'
  return states[status] ?? 'unpaired'
}
