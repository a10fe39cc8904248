'use client'
import { type RefObject, useEffect, useRef } from 'react'
import type { ViewActs } from './use-view'

/** Pixels a pointer moves before a press is a drag. */
const slack = 5

type Hands = {
  view: ViewActs
  onNode: (id: string) => void
  onLink: (key: string) => void
  /** A node is being moved by so many points of the drawing; `end`: it is let go. Without it nothing can be moved. */
  onMove?: (id: string, dx: number, dy: number, end: boolean) => void
}

const partOf = (event: Event) => (event.target as Element).closest<SVGElement>('[data-node], [data-link]')

/**
 * Mouse, pen and fingers on the drawing: dragging pans, two fingers and the wheel zoom, a press opens what is under it.
 * Heard by the one element, not by a thousand.
 */
export function useHands(svg: RefObject<SVGSVGElement | null>, hands: Hands): void {
  const now = useRef(hands)
  useEffect(() => {
    now.current = hands
  })
  useEffect(() => {
    const own = svg.current
    if (!own) return
    const points = new Map<number, { x: number; y: number }>()
    let drag: { moved: boolean; node: string | undefined; x: number; y: number } | undefined
    const spread = () => {
      const [a, b] = [...points.values()]
      return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0
    }
    const down = (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      points.set(event.pointerId, { x: event.clientX, y: event.clientY })
      const node = now.current.onMove ? partOf(event)?.dataset.node : undefined
      drag = { moved: points.size > 1, node: points.size > 1 ? undefined : node, x: event.clientX, y: event.clientY }
    }
    const moveNode = (id: string, event: PointerEvent, end: boolean) => {
      const scale = now.current.view.scale()
      now.current.onMove?.(id, (event.clientX - (drag?.x ?? 0)) * scale, (event.clientY - (drag?.y ?? 0)) * scale, end)
    }
    const move = (event: PointerEvent) => {
      const was = points.get(event.pointerId)
      if (!was || !drag) return
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < slack) return
      if (!drag.moved) own.setPointerCapture(event.pointerId)
      drag.moved = true
      const before = spread()
      points.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (drag.node !== undefined) return moveNode(drag.node, event, false)
      now.current.view.pan((event.clientX - was.x) / points.size, (event.clientY - was.y) / points.size)
      if (points.size === 2 && before > 0) now.current.view.zoom(spread() / before)
    }
    const up = (event: PointerEvent) => {
      if (!points.delete(event.pointerId) || !drag || points.size > 0) return
      const { moved, node } = drag
      if (moved && node !== undefined) moveNode(node, event, true)
      drag = undefined
      if (moved || event.type === 'pointercancel') return
      const part = partOf(event)
      if (part?.dataset.node !== undefined) now.current.onNode(part.dataset.node)
      else if (part?.dataset.link !== undefined) now.current.onLink(part.dataset.link)
    }
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY
      now.current.view.zoom(Math.exp(-Math.max(-240, Math.min(240, step)) / (event.ctrlKey ? 120 : 420)))
    }
    own.addEventListener('pointerdown', down)
    own.addEventListener('pointermove', move)
    own.addEventListener('pointerup', up)
    own.addEventListener('pointercancel', up)
    own.addEventListener('wheel', wheel, { passive: false })
    return () => {
      own.removeEventListener('pointerdown', down)
      own.removeEventListener('pointermove', move)
      own.removeEventListener('pointerup', up)
      own.removeEventListener('pointercancel', up)
      own.removeEventListener('wheel', wheel)
    }
  }, [svg])
}
