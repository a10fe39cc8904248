'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from '@/app/_ui/button'

type FrameProps = { title: ReactNode; onClose: () => void; about: string; children?: ReactNode }

/** The card at the side. On a phone it stands below and is scrolled to. */
export function Frame({ title, onClose, about, children }: FrameProps) {
  const t = useTranslations('common')
  const id = useId()
  const box = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is chosen
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [about])
  return (
    <aside className="card topo-side" aria-labelledby={id} ref={box}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="meta">
          <IconButton kind="ghost" small icon="close" label={t('close')} onClick={onClose} />
        </span>
      </header>
      {children}
    </aside>
  )
}
