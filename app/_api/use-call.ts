'use client'
import { usePathname } from 'next/navigation'
import useSWR, { type SWRConfiguration, type SWRResponse, useSWRConfig } from 'swr'
import { useIsFresh } from './answers'
import { type ApiError, type CallInput, type CallOutput, type CallPath, callApi } from './client'
import { type Topic, useLive, useStream } from './events'

export type UseCallOptions = {
  /** Polling interval, ms. With `live` it is used only while the stream is down. */
  refreshMs?: number
  /** Topics of /app/events after which the call is made again. */
  live?: readonly Topic[]
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
  const { refreshMs, live, keep = true, swr } = options
  const stream = useStream(live !== undefined)
  const polled = live && stream.live ? 0 : (refreshMs ?? (live ? 60_000 : 0))
  const key = input === null ? null : [path, input]
  const fresh = useIsFresh(key)
  const response = useSWR<CallOutput<P>, ApiError>(key, () => callApi(path, input as CallInput<P>, { quiet: true }), {
    refreshInterval: polled,
    keepPreviousData: keep,
    revalidateOnFocus: false,
    shouldRetryOnError: false,
    // Who begins anew asks anew: what changed since the part before it went was told to nobody.
    ...(live && { dedupingInterval: 0 }),
    ...(fresh && { revalidateOnMount: false }),
    ...swr,
  })
  const { mutate } = response
  useLive(live ?? [], () => void mutate())
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
