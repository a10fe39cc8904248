'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './button'

/** Esc, wherever the focus is: but what lies above the page, or is being typed, has it first. */
function useEscape(on: boolean, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!on) return
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('.dialog, .popover')) return
      if ((event.target as HTMLElement).closest('input, textarea, select')) return
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on])
}

/** Floats over the end of the list while rows are chosen. Esc clears. The first child is the one useful action (`go`). */
export function BulkBar({
  count,
  onClear,
  label,
  children,
}: {
  count: number
  onClear: () => void
  label: string
  children: ReactNode
}) {
  const t = useTranslations('common')
  useEscape(count > 0, onClear)
  if (count === 0) return null
  return (
    <div className="bulk" role="toolbar" aria-label={label}>
      <span className="count" role="status">
        {t('selected', { count })}
      </span>
      {children}
      <IconButton icon="close" label={t('clearSelection')} onClick={onClear} />
    </div>
  )
}
