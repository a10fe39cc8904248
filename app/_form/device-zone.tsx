'use client'
import { createContext, type ReactNode } from 'react'

/** The zone of the network's devices. */
export const Zone = createContext('UTC')

/** The zone that the network's devices keep their clocks by, an IANA name. */
export function DeviceZone({ zone, children }: { zone: string; children: ReactNode }) {
  return <Zone value={zone}>{children}</Zone>
}
