import type { StateName } from '@/app/_ui/status'

/** By the numbers of states (model/guests/voucher.ts). */
export const stateNames = ['unused', 'inUse', 'used', 'expired'] as const
export const stateLooks = ['queued', 'online', 'confirmed', 'offline'] as const satisfies StateName[]
