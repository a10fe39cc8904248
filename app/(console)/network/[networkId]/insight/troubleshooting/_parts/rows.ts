import type { CallOutput } from '@/app/_api/client'

export type Result = CallOutput<'diagnostics/result'>
export type Row = CallOutput<'diagnostics/list'>['result'][number]
export type Figures = NonNullable<Result['figures']>
export type FiguresOf<T extends Figures['tool']> = Extract<Figures, { tool: T }>

/** Percent of the pings that nobody answered; undefined where none was sent. */
export const lossOf = ({ sent, received }: { sent: number; received: number }): number | undefined =>
  sent > 0 ? Math.round(((sent - received) / sent) * 1000) / 10 : undefined

export const stateLooks = { running: 'running', done: 'note', failed: 'failed', cancelled: 'stale' } as const

/** Results that can stand side by side. */
export const comparedMost = 3
