'use client'
import { useTranslations } from 'next-intl'
import { type MouseEvent, type RefObject, type SyntheticEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { Button, IconButton } from './button'
import { Glyph } from './status'

export type ToastTone = 'ok' | 'warn' | 'bad'
type Toast = { id: number; tone: ToastTone; text: string; detail?: string; undo?: () => void }

const shapes = { ok: 'check', warn: 'triangle', bad: 'octagon' } as const
const most = 3
const staysMs = 5000
let toasts: readonly Toast[] = []
let next = 1
const watchers = new Set<() => void>()
const set = (list: readonly Toast[]) => {
  toasts = list
  for (const watcher of watchers) watcher()
}

/** Shows one toast. Errors stay until closed, the rest leave after 5 s; at most three at once. */
export function toast(tone: ToastTone, text: string, options: { detail?: string; undo?: () => void } = {}): void {
  const same = toasts.filter(t => t.text !== text || t.detail !== options.detail)
  set([...same, { id: next++, tone, text, ...options }].slice(-most))
}

/** Kept by event, since what was pressed may be gone already when a dialog hears of it. */
const ofToasts = new WeakSet<Event>()
const claim = ({ nativeEvent }: SyntheticEvent) => void ofToasts.add(nativeEvent)
/** A toast is closed, or its deed undone, without closing the dialog before it. */
export const isOfToasts = (event: Event): boolean => ofToasts.has(event)

const empty: readonly Toast[] = []

const drop = (id: number) => set(toasts.filter(entry => entry.id !== id))

/** Pointed at, led to by the keyboard, or in a window behind another one: nothing is taken away from under its reader. */
const isRead = (region: Element | null) => !document.hasFocus() || region?.matches(':hover, :focus-within')

/** Takes a toast away when it stood its time and nobody reads. */
function useTime({ id, tone }: Toast, region: RefObject<Element | null>): void {
  useEffect(() => {
    if (tone === 'bad') return
    const look = () => {
      if (isRead(region.current)) timer = setTimeout(look, 1000)
      else drop(id)
    }
    let timer = setTimeout(look, staysMs)
    return () => clearTimeout(timer)
  }, [id, tone, region])
}

function Entry({ entry, region }: { entry: Toast; region: RefObject<HTMLElement | null> }) {
  const t = useTranslations('common')
  useTime(entry, region)
  const close = ({ detail }: MouseEvent) => {
    drop(entry.id)
    // By the keyboard: the focus stays among the notices.
    if (detail === 0) region.current?.focus()
  }
  return (
    <div className={`toast ${entry.tone}`} role={entry.tone === 'bad' ? 'alert' : undefined}>
      <Glyph shape={shapes[entry.tone]} />
      <div>
        <div>{entry.text}</div>
        {entry.detail && <p className="muted fine-print">{entry.detail}</p>}
      </div>
      <div className="actions">
        {entry.undo && (
          <Button
            small
            kind="ghost"
            onClick={event => {
              close(event)
              entry.undo?.()
            }}
          >
            {t('undo')}
          </Button>
        )}
        <IconButton small kind="ghost" icon="close" label={t('close')} onClick={close} />
      </div>
    </div>
  )
}

/**
 * Draws the toasts; once in the shell. F8 leads to them.
 * A toast is no layer over the page: while one stands, Escape is still the dialog's or the menu's.
 */
export function Toaster() {
  const t = useTranslations('common')
  const list = useSyncExternalStore(
    watcher => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => toasts,
    () => empty,
  )
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const lead = (event: KeyboardEvent) => event.key === 'F8' && region.current?.focus()
    document.addEventListener('keydown', lead)
    return () => document.removeEventListener('keydown', lead)
  }, [])
  return (
    <section
      ref={region}
      className="toasts"
      tabIndex={-1}
      aria-label={t('notices')}
      aria-live="polite"
      aria-relevant="additions text"
      aria-atomic="false"
      onPointerDownCapture={claim}
      onFocusCapture={claim}
    >
      {list.map(entry => (
        <Entry key={entry.id} entry={entry} region={region} />
      ))}
    </section>
  )
}
