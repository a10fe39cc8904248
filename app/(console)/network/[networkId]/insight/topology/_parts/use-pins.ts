'use client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { type Layout, type Pins, pinned } from './layout'

/** So long after the last step what was moved is stored: keys that are held move in many small ones. */
const restMs = 500

/**
 * The drawing with what people moved. A node follows the pointer at once; it is stored when it is let go, and goes back
 * where that is refused.
 */
export function usePins(auto: Layout, stored: Pins) {
  const [moved, setMoved] = useState<Pins>({})
  const layout = useMemo(() => pinned(auto, { ...stored, ...moved }), [auto, stored, moved])
  const now = useRef({ layout, moved })
  useEffect(() => {
    now.current = { layout, moved }
  }, [layout, moved])
  const start = useRef<{ id: string; x: number; y: number } | undefined>(undefined)
  const waiting = useRef(new Map<string, { x: number; y: number }>())
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const store = useCallback(async () => {
    const places = [...waiting.current].map(([node, at]) => ({ node, ...at }))
    waiting.current.clear()
    if (places.length === 0) return
    await callApi('topology/places/save', withNetwork({ places }))
      .then(whenRenewed)
      .catch(() => undefined)
    const isStored = (id: string) => places.some(one => one.node === id) && !waiting.current.has(id)
    setMoved(all => Object.fromEntries(Object.entries(all).filter(([id]) => !isStored(id))))
  }, [])
  // Whoever leaves meanwhile has moved it all the same.
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      void store()
    },
    [store],
  )
  const move = useCallback(
    (id: string, dx: number, dy: number, end: boolean) => {
      const place = now.current.layout.places.get(id)
      if (!place) return
      if (start.current?.id !== id) start.current = { id, x: place.x, y: place.y }
      const at = { x: Math.round(start.current.x + dx), y: Math.round(start.current.y + dy) }
      setMoved(all => ({ ...all, [id]: at }))
      if (!end) return
      start.current = undefined
      waiting.current.set(id, at)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void store(), restMs)
    },
    [store],
  )
  return { layout, move }
}
