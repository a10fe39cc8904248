'use client'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

type Store = { name: string | undefined; set: (name: string | undefined) => void }
const Context = createContext<Store>({ name: undefined, set: () => undefined })

export function CrumbProvider({ children }: { children: ReactNode }) {
  const [name, set] = useState<string>()
  return <Context value={{ name, set }}>{children}</Context>
}

export const useCrumbName = () => useContext(Context).name

/** Names the thing that a detail or form page shows, at the end of the breadcrumb. */
export function Crumb({ name }: { name: string }) {
  const { set } = useContext(Context)
  useEffect(() => {
    set(name)
    return () => set(undefined)
  }, [name, set])
  return null
}
