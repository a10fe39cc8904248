'use client'
import * as Radix from '@radix-ui/react-toast'
import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { Button, IconButton } from './button'
import { Glyph } from './status'

export type ToastTone = 'ok' | 'warn' | 'bad'
type Toast = { id: number; tone: ToastTone; text: string; detail?: string; undo?: () => void }

const shapes = { ok: 'check', warn: 'triangle', bad: 'octagon' } as const
const most = 3
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

const empty: readonly Toast[] = []

/** Draws the toasts; once in the shell. */
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
  const drop = (id: number) => set(toasts.filter(entry => entry.id !== id))
  return (
    <Radix.Provider label={t('notices')} swipeDirection="right">
      {list.map(entry => (
        <Radix.Root
          key={entry.id}
          className={`toast ${entry.tone}`}
          type={entry.tone === 'bad' ? 'foreground' : 'background'}
          duration={entry.tone === 'bad' ? Number.POSITIVE_INFINITY : 5000}
          onOpenChange={open => !open && drop(entry.id)}
        >
          <Glyph shape={shapes[entry.tone]} />
          <div>
            <Radix.Title>{entry.text}</Radix.Title>
            {entry.detail && (
              <Radix.Description asChild>
                <p className="muted xs">{entry.detail}</p>
              </Radix.Description>
            )}
          </div>
          <div className="acts">
            {entry.undo && (
              <Radix.Action altText={t('undo')} asChild onClick={entry.undo}>
                <Button small kind="ghost">
                  {t('undo')}
                </Button>
              </Radix.Action>
            )}
            <Radix.Close asChild>
              <IconButton small kind="ghost" icon="close" label={t('close')} />
            </Radix.Close>
          </div>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" />
    </Radix.Provider>
  )
}
