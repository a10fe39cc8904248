import { type ReactNode, useId } from 'react'

type CardProps = {
  title?: ReactNode
  /** Beside the title: a badge. */
  mark?: ReactNode
  /** At the inline end of the head. */
  meta?: ReactNode
  footer?: ReactNode
  /** Padding around the content; tables and lists bring their own. */
  pad?: boolean
  className?: string
  children: ReactNode
}

/** A bordered part of a page. Never one inside another. */
export function Card({ title, mark, meta, footer, pad = false, className = '', children }: CardProps) {
  const id = useId()
  return (
    <section className={`card ${className}`} {...(title !== undefined && { 'aria-labelledby': id })}>
      {title !== undefined && (
        <header>
          <h2 id={id}>{title}</h2>
          {mark}
          {meta !== undefined && <span className="meta">{meta}</span>}
        </header>
      )}
      {pad ? <div className="padded">{children}</div> : children}
      {footer !== undefined && <footer>{footer}</footer>}
    </section>
  )
}

type KeyValuesProps = { rows: readonly (readonly [string, ReactNode] | false)[]; stacked?: boolean }

/** Name and value pairs: `rows` without a value are left out by the caller. `stacked`: long values stand below their names. */
export function KeyValues({ rows, stacked = false }: KeyValuesProps) {
  return (
    <dl className={stacked ? 'key-values stacked' : 'key-values'}>
      {rows
        .filter(row => row !== false)
        .map(([name, value]) => (
          <Pair key={name} name={name} value={value} />
        ))}
    </dl>
  )
}

const Pair = ({ name, value }: { name: string; value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)
