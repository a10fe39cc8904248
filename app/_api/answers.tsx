'use client'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { SWRConfig, unstable_serialize, useSWRConfig } from 'swr'
import type { Answer } from '@/server/door/preload'

/** Answers that have been shown: a page that the router brings back from memory carries old ones. */
const taken = new WeakSet<readonly Answer[]>()
const Fresh = createContext<Set<string>>(new Set())

/** Gives the parts inside the answers that came with the page, so that they need not ask for them when they begin. */
export function Answers({ of, children }: { of: readonly Answer[]; children: ReactNode }) {
  const { mutate } = useSWRConfig()
  const { fallback, fresh } = useMemo(() => {
    const found = of.map(({ path, input, json }) => [unstable_serialize([path, input]), JSON.parse(json)] as const)
    return {
      fallback: Object.fromEntries(found),
      fresh: new Set(taken.has(of) ? [] : found.map(([key]) => key)),
    }
  }, [of])
  // Runs after the parts inside began: whoever begins later asks anew.
  useEffect(() => {
    for (const key of fresh) void mutate(key, fallback[key], { revalidate: false })
    fresh.clear()
    taken.add(of)
  }, [of, fallback, fresh, mutate])
  return (
    <Fresh value={fresh}>
      <SWRConfig value={{ fallback }}>{children}</SWRConfig>
    </Fresh>
  )
}

/** Whether this call's answer came with the page just now. */
export function useIsFresh(key: readonly unknown[] | null): boolean {
  const fresh = useContext(Fresh)
  return key !== null && fresh.has(unstable_serialize(key))
}
