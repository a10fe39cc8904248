import type { ReactNode } from 'react'

export type Share = { name: string; value: number; tone: string }

const tones = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'] as const
const gap = 1.2
const radius = 15.9155 // A circumference of 100: a share is its per cent.

/** The largest in colours of their own, what is beyond together, and after them those that have a colour of their own anyway. */
export function sharesOf(all: readonly Omit<Share, 'tone'>[], after: readonly Share[], others: string): Share[] {
  const shown = all.filter(one => one.value > 0)
  const most = shown.length > tones.length ? tones.length - 1 : tones.length
  const rest = shown.slice(most).reduce((sum, one) => sum + one.value, 0)
  return [
    ...shown.slice(0, most).map((one, at) => ({ ...one, tone: tones[at] ?? 'chart-1' })),
    ...(rest > 0 ? [{ name: others, value: rest, tone: 'chart-5' }] : []),
    ...after.filter(one => one.value > 0),
  ]
}

type Props = { shares: readonly Share[]; total: ReactNode; caption: string }

/** Shares of a whole as a ring around their sum. The figures stand beside it in words: the ring is decoration. */
export function Donut({ shares, total, caption }: Props) {
  const sum = shares.reduce((all, one) => all + one.value, 0)
  let from = 0
  const arcs = shares.map(({ name, value, tone }) => {
    const share = (value / Math.max(1, sum)) * 100
    const arc = { name, tone, from, length: shares.length > 1 ? Math.max(0.4, share - gap) : share }
    from += share
    return arc
  })
  return (
    <div className="donut">
      <svg viewBox="0 0 40 40" aria-hidden="true">
        {arcs.map(arc => (
          <circle
            key={arc.name}
            cx="20"
            cy="20"
            r={radius}
            stroke={`var(--${arc.tone})`}
            strokeDasharray={`${arc.length} ${100 - arc.length}`}
            strokeDashoffset={25 - arc.from}
          />
        ))}
      </svg>
      <div>
        <b className="figure">{total}</b>
        <span className="muted fine-print">{caption}</span>
      </div>
    </div>
  )
}
