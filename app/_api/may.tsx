'use client'
import { createContext, type ReactNode, useContext } from 'react'
import type { Authority } from '@/model/authority'

const Held = createContext<readonly Authority[]>([])

/** Around a signed-in person's pages: what they may do. */
export function MayProvider({ authorities, children }: { authorities: readonly Authority[]; children: ReactNode }) {
  return <Held value={authorities}>{children}</Held>
}

/** All that the person who looks may do. */
export const useHeld = (): readonly Authority[] => useContext(Held)

/** May the person who looks do this? What their calls would be refused is not offered. */
export const useMay = (authority: Authority): boolean => useHeld().includes(authority)
