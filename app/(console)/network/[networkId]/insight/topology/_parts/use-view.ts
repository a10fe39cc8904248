'use client'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Layout, Place } from './layout'
import { fitted, opening, type Size, scales, showing, steadied, type View, zoomed } from './view'

export type ViewActs = {
  zoom: (factor: number) => void
  fit: () => void
  pan: (dx: number, dy: number) => void
  /** Brings a node onto the screen; `centred`: to its middle. */
  show: (id: string, centred?: boolean) => void
  /** How many points of the drawing one pixel is. */
  scale: () => number
}

type Parts = { svg: RefObject<SVGSVGElement | null>; plane: RefObject<SVGGElement | null> }

/**
 * What of the drawing is on the screen. It is written straight to the element: nothing is drawn anew while one pans. Until
 * somebody moves it, it follows the size of its card; a new drawing leaves what one looks at where it was.
 */
export function useView({ svg, plane }: Parts, layout: Layout): ViewActs {
  const view = useRef<View>({ x: 0, y: 0, k: 1 })
  const touched = useRef(false)
  const last = useRef<{ layout: Layout; first: Place | undefined } | undefined>(undefined)
  const size = useCallback((): Size => {
    const { clientWidth = 0, clientHeight = 0 } = svg.current?.parentElement ?? {}
    return { width: clientWidth, height: clientHeight }
  }, [svg])
  const put = useCallback(
    (next: View) => {
      view.current = next
      plane.current?.setAttribute('transform', `translate(${next.x} ${next.y}) scale(${next.k})`)
      svg.current?.classList.toggle('far', next.k < 0.42)
    },
    [svg, plane],
  )
  useLayoutEffect(() => {
    const before = last.current
    const first = layout.places.values().next().value
    last.current = { layout, first }
    if (!before) put(opening(layout.bounds, first, size()))
    // What somebody moves follows the pointer, and nothing else does.
    else if (before.layout.auto === layout.auto) return
    else if (touched.current) put(steadied(view.current, size(), before.layout.places, layout.places))
    else put(opening(layout.bounds, first, size()))
  }, [layout, put, size])
  useEffect(() => {
    const box = svg.current?.parentElement
    if (!box) return
    const seen = new ResizeObserver(() => {
      const { layout: now, first } = last.current ?? {}
      if (!touched.current && now) put(opening(now.bounds, first, size()))
    })
    seen.observe(box)
    return () => seen.disconnect()
  }, [svg, put, size])
  return useMemo(() => {
    const move = (next: View) => {
      touched.current = true
      put(next)
    }
    const middle = () => ({ x: size().width / 2, y: size().height / 2 })
    return {
      zoom: factor => move(zoomed(view.current, factor, middle())),
      fit: () => last.current && move(fitted(last.current.layout.bounds, size())),
      pan: (dx, dy) => move({ ...view.current, x: view.current.x + dx, y: view.current.y + dy }),
      show: (id, centred) => {
        const place = last.current?.layout.places.get(id)
        if (place) move(showing(view.current, place, size(), centred))
      },
      scale: () => 1 / Math.max(view.current.k, scales.least),
    }
  }, [put, size])
}
