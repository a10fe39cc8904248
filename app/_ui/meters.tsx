import type { CSSProperties } from 'react'

const sized = (share: number, tone?: string): CSSProperties => ({
  inlineSize: `${Math.max(0, Math.min(1, share)) * 100}%`,
  ...(tone && { background: `var(--${tone})` }),
})

/** How far something is: `share` 0-1, undefined while nobody knows. */
export function Progress({ share, label }: { share: number | undefined; label: string }) {
  return (
    <div
      className="bar slim"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === undefined ? undefined : Math.round(share * 100)}
    >
      <i style={sized(share ?? 0.15, 'info')} />
    </div>
  )
}

/** A share of a whole as a bar. The figure stands beside it in words: the bar is decoration. */
export const Bar = ({ share, tone, slim }: { share: number; tone?: string; slim?: boolean }) => (
  <div className={slim ? 'bar slim' : 'bar'} aria-hidden="true">
    <i style={sized(share, tone)} />
  </div>
)

export type PipState = 'online' | 'warning' | 'offline' | 'failed' | 'unknown'
const pips: Record<PipState, string> = {
  online: '',
  warning: 'warn',
  offline: 'off',
  failed: 'bad',
  unknown: 'unknown',
}
const mostPips = 60

/** One bar a device. The counts stand in words beside it. Above 60 devices each bar stands for several. */
export function Pips({ counts }: { counts: Partial<Record<PipState, number>> }) {
  const entries = Object.entries(counts) as [PipState, number][]
  const all = entries.reduce((sum, [, count]) => sum + count, 0)
  const each = Math.max(1, Math.ceil(all / mostPips))
  const drawn = entries.flatMap(([state, count]) =>
    Array.from({ length: Math.ceil(count / each) }, (_, index) => ({ state, id: `${state}${index}` })),
  )
  return (
    <div className="pips" aria-hidden="true">
      {drawn.map(({ state, id }) => (
        <i key={id} className={`pip ${pips[state]}`} />
      ))}
    </div>
  )
}
