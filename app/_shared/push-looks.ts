import type { StateName } from '@/app/_ui/status'

/** A state's mark, wherever a push or a device's configuration is shown. */
export const pushLooks: Record<string, StateName> = {
  modified: 'modified',
  drifted: 'warning',
  held: 'warning',
  queued: 'queued',
  pushing: 'running',
  confirming: 'running',
  applied: 'confirmed',
  partial: 'warning',
  reverted: 'reverted',
  failed: 'failed',
  offline: 'offline',
  unknown: 'unknown',
}
