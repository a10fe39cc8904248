import type { ReactNode } from 'react'

type Props = { title: ReactNode; mark?: ReactNode; sub?: ReactNode; children?: ReactNode }

/** The head of a page: its one h1, and its actions at the inline end, the primary one last. */
export function PageHead({ title, mark, sub, children }: Props) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {mark}
      {sub !== undefined && <span className="subline no-phone">{sub}</span>}
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  )
}
