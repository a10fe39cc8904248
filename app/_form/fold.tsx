'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Icon } from '@/app/_ui/icon'
import { Badge } from '@/app/_ui/status'

type Props = {
  id: string
  title: string
  help?: string
  /** Names of its fields that are not as they are by default. */
  differs: readonly string[]
  /** Something in it is wrong: it cannot be closed. */
  wrong: boolean
  /** One of several below a heading. */
  nested?: boolean
  children: ReactNode
}

/** A section for few: closed while all of it is as by default, and its head says what is not. */
export function Fold({ id, title, help, differs, wrong, nested, children }: Props) {
  const Heading = nested ? 'h3' : 'h2'
  const t = useTranslations('form.fold')
  const names = differs.join(', ')
  const [open, setOpen] = useState(differs.length > 0)
  const [known, setKnown] = useState(names)
  // What somebody, or a preset, changes in it shows; it never closes by itself while somebody types.
  if (known !== names) {
    setKnown(names)
    if (names) setOpen(true)
  }
  return (
    <details
      className="form-section fold"
      open={open || wrong}
      onToggle={event => {
        // Closed by its head: the browser did that by itself, and nothing that is drawn differs.
        if (wrong) event.currentTarget.open = true
        setOpen(event.currentTarget.open)
      }}
    >
      <summary>
        <Icon name="right" size="sm" flip />
        <Heading>{title}</Heading>
        <span className="muted fine-print truncated grow">{open || wrong ? '' : names}</span>
        {differs.length > 0 ? (
          <Badge tone="info">{t('changed', { count: differs.length })}</Badge>
        ) : (
          <span className="muted fine-print">{t('defaults')}</span>
        )}
      </summary>
      {/* A link to a section leads into it: browsers open it then. */}
      <div className="fold-body" id={id}>
        {help && <p>{help}</p>}
        {children}
      </div>
    </details>
  )
}
