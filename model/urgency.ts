/** How grave something is that needs a person, and since when it is so (unix ms); absent where that is not known. */
export type Urgency = { level: 'critical' | 'warning'; since?: number }

/** What is worse first; of the same the newest, and last what began nobody knows when. */
export const byUrgency = (a: Urgency, b: Urgency): number =>
  Number(b.level === 'critical') - Number(a.level === 'critical') || (b.since ?? 0) - (a.since ?? 0)
