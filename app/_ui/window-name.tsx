'use client'
import { useEffect } from 'react'

/**
 * Keeps the window's name over the moment between two pages: the former page's title is gone before the next one's has
 * come, and a screen reader would find a window without a name. React puts a page's title before any other in the head,
 * and the first one counts.
 */
export function WindowName() {
  useEffect(() => {
    const kept = document.createElement('title')
    const keep = () => {
      if (document.title && document.title !== kept.textContent) kept.textContent = document.title
    }
    keep()
    document.head.append(kept)
    const observer = new MutationObserver(keep)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      kept.remove()
    }
  }, [])
  return null
}
