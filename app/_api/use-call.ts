'use client'
import { usePathname } from 'next/navigation'
import { useEffect, useMemo } from 'react'
import useSWR, { mutate as renew, type SWRConfiguration, type SWRResponse, unstable_serialize, useSWRConfig } from 'swr'
import { useIsFresh } from './answers'
import { type ApiError, type CallInput, type CallOutput, type CallPath, callApi, onSuccess } from './client'
import { useLive, useStream } from './events'
import { isOldAfter, topicsOf } from './news'

/** How many parts of the page show the answer of each call now. */
const shown = new Map<string, number>()

// What somebody does on this page shows at once, also where no stream tells of it: answers on the page are asked for
// anew, and those that are only kept for a way back are forgotten.
onSuccess((act, topics) => {
  const isOld = (key: unknown) => Array.isArray(key) && isOldAfter(act, topics, key[0], key[1])
  const isShown = (key: unknown) => shown.has(unstable_serialize(key as [string, object]))
  void renew(key => isOld(key) && !isShown(key), undefined, { revalidate: true })
  return renew(key => isOld(key) && isShown(key))
})

function useShown(key: readonly unknown[] | null): void {
  const id = key && unstable_serialize(key)
  useEffect(() => {
    if (id === null) return
    shown.set(id, (shown.get(id) ?? 0) + 1)
    return () => {
      const left = (shown.get(id) ?? 1) - 1
      if (left > 0) shown.set(id, left)
      else shown.delete(id)
    }
  }, [id])
}

export type UseCallOptions = {
  /** Polling interval, ms. With `live` it is used only while the stream is down, but for `always`. */
  refreshMs?: number
  /** It changes by what no news tells of, too. */
  always?: boolean
  /** Made again after the news that make its answer old (news.ts). */
  live?: boolean
  /** Shows the former answer while the next page of a list loads. */
  keep?: boolean
  swr?: SWRConfiguration
}

const networkIn = (path: string) => /^\/network\/(\d+)/.exec(path)?.[1]
const about = <I>(input: I, path: string): I => {
  const id = networkIn(path)
  return input === null || id === undefined ? input : { networkId: Number(id), ...input }
}

/**
 * One call, cached by its path and input and made again when its topics change. `null` as input waits. Failures are in
 * `error`, drawn by the part that asked; no toast.
 */
export function useCall<P extends CallPath>(
  path: P,
  input: CallInput<P> | null,
  options: UseCallOptions = {},
): SWRResponse<CallOutput<P>, ApiError> {
  const { refreshMs, live = false, always = false, keep = true, swr } = options
  const topics = useMemo(() => (live ? topicsOf(path) : []), [live, path])
  const stream = useStream(live)
  const polled = live && stream.live && !always ? 0 : (refreshMs ?? (live ? 60_000 : 0))
  const key = input === null ? null : [path, input]
  const fresh = useIsFresh(key)
  useShown(key)
  const response = useSWR<CallOutput<P>, ApiError>(
    key,
    () => callApi(path, input as CallInput<P>, { quiet: true, asks: true }),
    {
      refreshInterval: polled,
      keepPreviousData: keep,
      revalidateOnFocus: false,
      // No answer is nobody's decision, and the next may come; a refusal stays one until something changes.
      shouldRetryOnError: ({ kind }) => kind === 'network' || kind === 'timeout',
      // Who begins anew asks anew: what changed since the part before it went was told to nobody.
      ...(live && { dedupingInterval: 0 }),
      ...(fresh && { revalidateOnMount: false }),
      ...swr,
    },
  )
  // Its getters note what is read, and a part is drawn anew only for that: one that hands the answer down to a part that
  // begins later would keep showing that nothing arrived.
  void response.data
  void response.error
  const { mutate } = response
  useLive(topics, () => void mutate())
  return response
}

/** As `useCall`, about the network in the page's address: two tabs may show two networks. */
export function useNetworkCall<P extends CallPath>(path: P, input: CallInput<P> | null, options: UseCallOptions = {}) {
  return useCall(path, about(input, usePathname()), options)
}

/** Adds the network of the page's address to a call's input. */
export function withNetwork<I>(input: I): I {
  return typeof window === 'undefined' ? input : about(input, window.location.pathname)
}

/** Makes every cached answer of these calls fresh, after something was saved. */
export function useRefresh(): (...paths: CallPath[]) => Promise<unknown> {
  const { mutate } = useSWRConfig()
  return (...paths) => mutate(key => Array.isArray(key) && paths.includes(key[0] as CallPath))
}
