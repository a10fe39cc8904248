import type { ReactNode } from 'react'
import { Glyph, type Shape } from './status'

const looks = {
  warn: 'triangle',
  bad: 'octagon',
  info: 'info',
  ok: 'check',
  pending: 'diamond',
} as const satisfies Record<string, Shape>

type Props = { tone: keyof typeof looks; title?: ReactNode; children?: ReactNode; alert?: boolean; actions?: ReactNode }

/** A notice inside the page: what it is about in bold, then what to do. `alert` reads it aloud at once. */
export function Note({ tone, title, children, alert, actions }: Props) {
  return (
    <div className={`note ${tone}`} {...(alert && { role: 'alert' })}>
      <Glyph shape={looks[tone]} />
      <div className="grow">
        {title !== undefined && <b>{title}</b>}
        {children !== undefined && <div className="soft">{children}</div>}
      </div>
      {actions}
    </div>
  )
}
