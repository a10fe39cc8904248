'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { keptAddress } from '@/app/_ui/kept-view'
import { leaveThen } from '@/app/_ui/leaving'
import type { MenuItem } from '@/server/people/access/menu'
import { goKeys, pathOf } from './menu-tree'

const isJump = ({ ctrlKey, metaKey, key }: globalThis.KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && key.toLowerCase() === 'k'

/** A key that is typed into something, or is the browser's. */
const isElsewhere = ({ ctrlKey, metaKey, altKey, target }: globalThis.KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (target as HTMLElement).closest('input, textarea, select, [role=dialog]') !== null

/** Ctrl K opens the search, `?` the help; `g` and a letter goes to a screen. Typing in a field is left alone. */
export function useShellKeys(menus: readonly MenuItem[], network: number | null, onJump: () => void): void {
  const router = useRouter()
  const waiting = useRef(0)
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (isJump(event)) {
        event.preventDefault()
        return onJump()
      }
      if (isElsewhere(event)) return
      if (event.key === '?') return leaveThen(() => router.push('/account/help'))
      if (event.key === 'g') {
        waiting.current = event.timeStamp
        return
      }
      const item = menus.find(entry => goKeys[entry.menuId] === event.key)
      if (item && event.timeStamp - waiting.current < 1500) {
        const path = keptAddress(pathOf(item.children.find(c => !c.hidden) ?? item, network))
        leaveThen(() => router.push(path))
      }
      waiting.current = 0
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [menus, network, onJump, router])
}
