'use client'
import { useEffect, useState } from 'react'
import { holdUnsaved } from '@/app/_api/session-end'

/** What is used of the browser's Navigation API; without it, Back asks nothing. */
type Traversal = Event & { navigationType: string; destination: { key: string } }
type Navigation = EventTarget & { traverseTo(key: string): { finished: Promise<unknown> } }
const navigationOf = () => (window as { navigation?: Navigation }).navigation

/** Of a form and a panel above it one asked: the way back that was chosen is free for both. */
let leaving = false
async function goBack(key: string): Promise<void> {
  leaving = true
  await navigationOf()
    ?.traverseTo(key)
    .finished.catch(() => undefined)
  leaving = false
}

type Go = () => void
/** Who asks before this page is left, the uppermost last. */
const asking: ((go: Go) => void)[] = []

/** For what leads elsewhere without a link: goes on at once, or when somebody gives up what is not saved. */
export const leaveThen = (go: Go): void => (asking.at(-1) ?? (free => free()))(go)

/** The path of a link that leaves this page in this tab. */
function pathOfLink(event: MouseEvent): string | undefined {
  const link = (event.target as Element | null)?.closest('a[href]')
  const href = link?.getAttribute('href') ?? ''
  const elsewhere = event.ctrlKey || event.metaKey || link?.hasAttribute('download') || link?.hasAttribute('target')
  return href.startsWith('/') && !elsewhere ? href : undefined
}

type Guard = {
  /** Something is typed and not saved: while the session is renewed it is kept. */
  on: boolean
  /** It is being saved, which may lead elsewhere unasked. */
  busy: boolean
  /** Follows a link of this product; without it links are let go, as in a dialog, which covers them. */
  follow?: (path: string) => void
}

/**
 * Holds up what would lose what is typed: links, the browser's Back, keys and the search; closing the tab is asked by the
 * browser. `leave` is there while the question is open, and goes where it was held up.
 */
export function useLeaveGuard({ on, busy, follow }: Guard): {
  leave: Go | undefined
  ask: (go: Go) => void
  stay: Go
} {
  const [held, setHeld] = useState<{ go: Go }>()
  useEffect(() => (on ? holdUnsaved() : undefined), [on])
  const asks = on && !busy
  useEffect(() => {
    if (!asks) return
    const ask = (go: Go) => setHeld({ go })
    const click = (event: MouseEvent) => {
      // Of a form and a panel above it one asks.
      const path = event.defaultPrevented ? undefined : pathOfLink(event)
      if (path === undefined || !follow) return
      event.preventDefault()
      event.stopPropagation()
      ask(() => follow(path))
    }
    const traverse = (event: Event) => {
      const { navigationType, destination } = event as Traversal
      if (navigationType !== 'traverse' || !event.cancelable || event.defaultPrevented || leaving) return
      event.preventDefault()
      ask(() => void goBack(destination.key))
    }
    const close = (event: BeforeUnloadEvent) => event.preventDefault()
    const navigation = navigationOf()
    asking.push(ask)
    document.addEventListener('click', click, true)
    navigation?.addEventListener('navigate', traverse)
    window.addEventListener('beforeunload', close)
    return () => {
      asking.splice(asking.indexOf(ask), 1)
      document.removeEventListener('click', click, true)
      navigation?.removeEventListener('navigate', traverse)
      window.removeEventListener('beforeunload', close)
    }
  }, [asks, follow])
  return { leave: held?.go, ask: go => setHeld({ go }), stay: () => setHeld(undefined) }
}
