import type { Changes } from '@/server/devices/change/overview/overview'

type Waiting = { changes: Pick<Changes['changes'][number], 'by'>[]; devices: Quiet[] }
type Quiet = Pick<Changes['devices'][number], 'modified'> & { impact: { clients: number } }

/** Nobody is interrupted, and nobody else's changes go along: whoever saved has said all there is to say. */
export const isOwnAndQuiet = ({ changes, devices }: Waiting, account: string): boolean =>
  changes.every(one => one.by === account) && devices.every(one => !one.modified || one.impact.clients === 0)
