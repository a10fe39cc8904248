'use client'
import { useEffect, useRef, useState } from 'react'

/** Height of the bar above the page, and a little. */
const headPx = 76

type View = { height: number; y: number; furthest: number }

/**
 * Which of the sections is read, by where they begin in the window: the last that begins above a line, which goes from
 * the top of the window to its foot as the page is scrolled. So each has its turn, also those of the page's end, which
 * never come to the top. All in px.
 */
export function sectionRead(tops: readonly number[], { height, y, furthest }: View): number {
  const part = furthest > 0 ? Math.min(1, Math.max(0, y / furthest)) : 0
  const line = headPx + (height - headPx) * part
  return Math.max(
    0,
    tops.findLastIndex(top => top <= line),
  )
}

/** The section that is read, of these ids; one that was chosen is it until the page is scrolled on. */
export function useSectionRead(ids: readonly string[]): [string | undefined, (id: string) => void] {
  const [read, setRead] = useState(ids[0])
  // Choosing scrolls, too: where that ended.
  const chosen = useRef<{ id: string; y?: number }>(undefined)
  const listed = ids.join(' ')
  useEffect(() => {
    const all = listed.split(' ')
    let frame = 0
    const look = () => {
      frame = 0
      const { scrollY: y, innerHeight: height } = window
      if (chosen.current) {
        chosen.current.y ??= y
        if (chosen.current.y === y) return
        chosen.current = undefined
      }
      const tops = all.map(id => document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY)
      setRead(all[sectionRead(tops, { height, y, furthest: document.documentElement.scrollHeight - height })])
    }
    const moved = () => {
      frame ||= requestAnimationFrame(look)
    }
    for (const what of ['scroll', 'resize']) window.addEventListener(what, moved, { passive: true })
    moved()
    return () => {
      for (const what of ['scroll', 'resize']) window.removeEventListener(what, moved)
      cancelAnimationFrame(frame)
    }
  }, [listed])
  const choose = (id: string) => {
    chosen.current = { id }
    setRead(id)
  }
  return [ids.includes(read ?? '') ? read : ids[0], choose]
}
