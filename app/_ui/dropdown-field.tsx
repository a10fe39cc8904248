'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Field, type FieldFrame } from './field'
import { Icon } from './icon'
import { Popover } from './menu'

type Props = FieldFrame & {
  disabled?: boolean
  /** What is chosen, on the button that opens the list. */
  shown: ReactNode
  /** Of the button, beside what every control looks like. */
  className?: string
  onClose?: () => void
  /** The list below; `label` names it. */
  children: (list: { label: string; close: () => void }) => ReactNode
}

/** A field whose button opens a list with a search. */
export function DropdownField({ disabled, shown, className = '', onClose, children, ...frame }: Props) {
  const t = useTranslations('common.field')
  const [open, setOpen] = useState(false)
  const put = (next: boolean) => {
    if (!next) onClose?.()
    setOpen(next)
  }
  const label = typeof frame.label === 'string' ? frame.label : t('search')
  return (
    <Field {...frame}>
      {wired => (
        <Popover
          open={open}
          onOpen={put}
          className="list"
          label={label}
          trigger={
            <button type="button" {...wired} className={`${wired.className} ${className}`.trim()} disabled={disabled}>
              {shown}
              <Icon name="down" size="sm" className="end" />
            </button>
          }
        >
          {children({ label, close: () => put(false) })}
        </Popover>
      )}
    </Field>
  )
}

/** The one of a list that is chosen, or in its place what to do. */
export const ShownChoice = ({ name, empty }: { name: ReactNode; empty: ReactNode }) => (
  <span className={name === undefined ? 'truncated placeholder' : 'truncated'}>{name ?? empty}</span>
)
