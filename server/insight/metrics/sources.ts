import { part } from '@/server/kernel/part'

/** What rooms above tell. `verifiedAt`: when the newest verified backup was verified, unix ms. */
export type MetricsSources = { verifiedAt(): Promise<number | undefined> }
export const metricsSources = part<MetricsSources>('metricsSources')
