'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '@/app/_ui/dialog'

/** Asks once before a changed form is left by a link inside the console; closing the page is asked by the save bar. */
export function LeaveGuard({ on }: { on: boolean }) {
  const t = useTranslations('form')
  const router = useRouter()
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    if (!on) return
    const click = (event: MouseEvent) => {
      // Of a form and a panel above it one asks.
      if (event.defaultPrevented) return
      const link = (event.target as Element | null)?.closest('a[href]')
      const href = link?.getAttribute('href') ?? ''
      if (!href.startsWith('/') || event.ctrlKey || event.metaKey || link?.hasAttribute('download')) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(href)
    }
    document.addEventListener('click', click, true)
    return () => document.removeEventListener('click', click, true)
  }, [on])
  return (
    <ConfirmDialog
      open={target !== undefined}
      onClose={() => setTarget(undefined)}
      title={t('leaveTitle')}
      action={t('leave')}
      danger
      onConfirm={() => {
        if (target) router.push(target)
      }}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  )
}
