import type { ReactNode } from 'react'

const stroke = { stroke: 'currentColor', fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const
const onSurface = { ...stroke, stroke: 'var(--surface)' } as const

/** The shapes of states: each differs without colour. */
const shapes = {
  disc: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  check: (
    <>
      <circle cx="6" cy="6" r="5.5" fill="currentColor" />
      <path d="m3.5 6.2 1.8 1.8 3.300-3.700" {...onSurface} strokeWidth="1.4" />
    </>
  ),
  info: (
    <>
      <circle cx="6" cy="6" r="5.5" fill="currentColor" />
      <path d="M6 5.600v3M6 3.300h.01" {...onSurface} strokeWidth="1.4" />
    </>
  ),
  triangle: (
    <>
      <path d="M6 .8 11.600 10.800H.4z" fill="currentColor" />
      <path d="M6 4.300v3M6 9h.01" {...onSurface} strokeWidth="1.3" />
    </>
  ),
  octagon: (
    <>
      <path d="M3.600.5h4.800l3.100 3.100v4.800l-3.100 3.100H3.600L.5 8.400V3.600z" fill="currentColor" />
      <path d="m4 4 4 4M8 4 4 8" {...onSurface} strokeWidth="1.4" />
    </>
  ),
  ring: <circle cx="6" cy="6" r="4" {...stroke} strokeWidth="1.7" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4.600" {...stroke} strokeWidth="1.4" />
      <path d="M6 1.400a4.600 4.600 0 0 1 0 9.200z" fill="currentColor" />
    </>
  ),
  question: (
    <>
      <circle cx="6" cy="6" r="4.700" {...stroke} strokeWidth="1.4" strokeDasharray="2 1.700" strokeLinecap="butt" />
      <path d="M4.900 4.800A1.150 1.150 0 1 1 6 6.300M6 8.200h.01" {...stroke} strokeWidth="1.1" />
    </>
  ),
  diamond: <path d="M6 .6 11.400 6 6 11.400.6 6z" fill="currentColor" />,
  dots: (
    <>
      <circle cx="6" cy="6" r="1.5" fill="currentColor" />
      <circle cx="1.700" cy="6" r="1.2" fill="currentColor" />
      <circle cx="10.300" cy="6" r="1.2" fill="currentColor" />
    </>
  ),
  arc: (
    <g className="spin">
      <circle cx="6" cy="6" r="4.600" {...stroke} strokeOpacity=".25" strokeWidth="1.800" />
      <path d="M6 1.400A4.600 4.600 0 0 1 10.600 6" {...stroke} strokeWidth="1.800" />
    </g>
  ),
  back: (
    <path
      d="M3.800 1.400 1.300 3.900l2.500 2.500M1.500 3.900h5.700a3.400 3.400 0 0 1 0 6.800H4"
      {...stroke}
      strokeWidth="1.6"
    />
  ),
  waves: (
    <path
      d="M.8 4.200C2.600 1.700 4.200 1.700 6 4.200s3.400 2.500 5.200 0M.8 8.800C2.600 6.300 4.200 6.300 6 8.800s3.400 2.500 5.200 0"
      {...stroke}
      strokeWidth="1.5"
    />
  ),
  hatched: (
    <>
      <rect x="1.2" y="1.2" width="9.600" height="9.600" rx="1.5" {...stroke} strokeWidth="1.2" />
      <path d="M1.500 6 6 1.500M1.800 10.200 10.200 1.800M6 10.500 10.500 6" {...stroke} strokeWidth="1" />
    </>
  ),
} as const
export type Shape = keyof typeof shapes

/** A state's shape alone: only where its word stands nearby. */
export function Glyph({ shape }: { shape: Shape }) {
  return (
    <svg className="glyph" viewBox="0 0 12 12" aria-hidden="true">
      {shapes[shape]}
    </svg>
  )
}

/** State → its one shape and tone, everywhere in the console. */
export const states = {
  online: ['disc', 'ok'],
  fine: ['disc', 'ok'],
  confirmed: ['check', 'ok'],
  warning: ['triangle', 'warn'],
  failed: ['octagon', 'bad'],
  offline: ['ring', 'off'],
  stale: ['half', 'stale'],
  unknown: ['question', 'unknown'],
  modified: ['diamond', 'pending'],
  queued: ['dots', 'pending'],
  running: ['arc', 'run'],
  reverted: ['back', 'warn'],
  drifted: ['waves', 'warn'],
  unsupported: ['hatched', 'off'],
  note: ['check', 'info'],
} as const
export type StateName = keyof typeof states

type StatusProps = {
  state: StateName
  children?: ReactNode
  /** How long the state has held, already worded. */
  age?: ReactNode
  /** The word, where only the shape has room. */
  label?: string
}

/** A state in a row: shape, word, colour. */
export function Status({ state, children, age, label }: StatusProps) {
  const [shape, tone] = states[state]
  return (
    <span className={`status ${tone}`}>
      <Glyph shape={shape} />
      {label && <span className="visually-hidden">{label}</span>}
      {children !== undefined && <span>{children}</span>}
      {age !== undefined && <span className="age">{age}</span>}
    </span>
  )
}

export type Tone = 'ok' | 'warn' | 'bad' | 'pending' | 'info' | 'accent'
const badgeTone: Record<string, string> = { run: 'info', off: '', stale: '', unknown: '' }

/** A small framed word. With `state` it is the state of the page's object; with `tone` a plain mark. */
export function Badge({ state, tone, children }: { state?: StateName; tone?: Tone; children: ReactNode }) {
  const [shape, own] = state ? states[state] : [undefined, undefined]
  const look = own === undefined ? (tone ?? '') : (badgeTone[own] ?? own)
  return (
    <span className={`badge ${look}`}>
      {shape && <Glyph shape={shape} />}
      {children}
    </span>
  )
}
