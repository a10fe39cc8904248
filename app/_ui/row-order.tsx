'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from './icon'

type Handlers = {
  label: string
  onPointerDown: (event: PointerEvent<HTMLButtonElement>) => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** What a row is taken by. */
export const Grip = ({ label, ...handlers }: Handlers) => (
  <button type="button" className="grip" aria-label={label} title={label} {...handlers}>
    <Icon name="grip" size="sm" />
  </button>
)

const moved = (keys: readonly string[], key: string, to: number) => {
  const rest = keys.filter(one => one !== key)
  return [...rest.slice(0, to), key, ...rest.slice(to)]
}
const rowUnder = (event: globalThis.PointerEvent) =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('tr[data-row]')?.dataset.row
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** Saves one after the other; what a person sees goes back to what is stored when the last one ended. */
function useSaving(onOrder: ((keys: string[]) => Promise<unknown>) | undefined) {
  const [held, hold] = useState<string[]>()
  const queue = useRef({ last: 0, done: Promise.resolve() as Promise<unknown> })
  const save = async (next: string[]) => {
    hold(next)
    const mine = ++queue.current.last
    // A refusal is told by the call itself.
    queue.current.done = queue.current.done.then(() => onOrder?.(next)).catch(() => undefined)
    await queue.current.done
    if (queue.current.last === mine) hold(undefined)
  }
  return { held, hold, save }
}

/**
 * Rows that a person puts in order: dragged by the grip (pointer events, so that touch works too), or moved with the
 * arrow keys on it. The new order shows at once.
 */
export function useRowOrder<T>(
  rows: readonly T[] | undefined,
  keyOf: (row: T) => string,
  onOrder: ((keys: string[]) => Promise<unknown>) | undefined,
) {
  const t = useTranslations('common')
  const { held, hold, save } = useSaving(onOrder)
  const [moving, setMoving] = useState<string>()
  const [said, setSaid] = useState('')
  const given = rows?.map(keyOf) ?? []
  const whole = held?.length === given.length && given.every(key => held.includes(key))
  const keys = whole ? held : given

  const drag = useEffectEvent((event: globalThis.PointerEvent) => {
    const over = rowUnder(event)
    if (moving !== undefined && over !== undefined && over !== moving && keys.includes(over))
      hold(moved(keys, moving, keys.indexOf(over)))
  })
  const drop = useEffectEvent((event: globalThis.PointerEvent) => {
    setMoving(undefined)
    if (event.type === 'pointerup' && keys.join() !== given.join()) void save(keys)
    else hold(undefined)
  })
  // On the window: a row that React moves in the document would lose its hold on the pointer.
  useEffect(() => {
    if (moving === undefined) return
    const control = new AbortController()
    window.addEventListener('pointermove', event => drag(event), control)
    for (const end of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(end, event => drop(event), control)
    return () => control.abort()
  }, [moving])

  const grip = (key: string): Handlers => ({
    label: t('move'),
    onPointerDown(event) {
      if (event.button !== 0) return
      event.currentTarget.focus()
      event.preventDefault()
      setMoving(key)
      hold(keys)
    },
    onKeyDown(event) {
      const to = keys.indexOf(key) + (steps[event.key] ?? 0)
      if (steps[event.key] === undefined) return
      event.preventDefault()
      if (to < 0 || to >= keys.length) return
      const button = event.currentTarget
      setSaid(t('movedTo', { place: to + 1, count: keys.length }))
      void save(moved(keys, key, to))
      requestAnimationFrame(() => button.focus())
    },
  })
  const byKey = new Map(rows?.map(row => [keyOf(row), row] as const))
  return { rows: rows && keys.flatMap(key => byKey.get(key) ?? []), grip, moving, said }
}
