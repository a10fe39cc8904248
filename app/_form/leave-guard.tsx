'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { holdUnsaved } from '@/app/_api/session-end'
import { ConfirmDialog } from '@/app/_ui/dialog'

/** What is used of the browser's Navigation API; without it, Back asks nothing. */
type Traversal = Event & { navigationType: string; destination: { key: string } }
type Navigation = EventTarget & { traverseTo(key: string): { finished: Promise<unknown> } }
const navigationOf = () => (window as { navigation?: Navigation }).navigation

/** A link's path, or an entry of the browser's history by its key. */
type Target = { path: string } | { key: string }

/** Of a form and a panel above it one asked: the way back that was chosen is free for both. */
let leaving = false
async function goBack(key: string): Promise<void> {
  leaving = true
  await navigationOf()
    ?.traverseTo(key)
    .finished.catch(() => undefined)
  leaving = false
}

/** `busy`: what is changed is being saved, which may lead elsewhere unasked. */
type Props = { on: boolean; busy: boolean }

/** Asks once before a changed form is left by a link or the browser's Back; closing the page is asked by the save bar. */
export function LeaveGuard({ on, busy }: Props) {
  const t = useTranslations('form')
  const router = useRouter()
  const [target, setTarget] = useState<Target>()
  useEffect(() => (on ? holdUnsaved() : undefined), [on])
  const asks = on && !busy
  useEffect(() => {
    if (!asks) return
    const click = (event: MouseEvent) => {
      // Of a form and a panel above it one asks.
      if (event.defaultPrevented) return
      const link = (event.target as Element | null)?.closest('a[href]')
      const href = link?.getAttribute('href') ?? ''
      const elsewhere = event.ctrlKey || event.metaKey || link?.hasAttribute('download') || link?.hasAttribute('target')
      if (!href.startsWith('/') || elsewhere) return
      event.preventDefault()
      event.stopPropagation()
      setTarget({ path: href })
    }
    const traverse = (event: Event) => {
      const { navigationType, destination } = event as Traversal
      if (navigationType !== 'traverse' || !event.cancelable || event.defaultPrevented || leaving) return
      event.preventDefault()
      setTarget({ key: destination.key })
    }
    const navigation = navigationOf()
    document.addEventListener('click', click, true)
    navigation?.addEventListener('navigate', traverse)
    return () => {
      document.removeEventListener('click', click, true)
      navigation?.removeEventListener('navigate', traverse)
    }
  }, [asks])
  const leave = () => {
    if (!target) return
    if ('path' in target) return router.push(target.path)
    void goBack(target.key)
  }
  return (
    <ConfirmDialog
      open={target !== undefined}
      onClose={() => setTarget(undefined)}
      title={t('leaveTitle')}
      action={t('leave')}
      danger
      onConfirm={leave}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  )
}
