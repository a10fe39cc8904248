'use client'
import { useEffect, useMemo, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import type { Logins } from '@/app/_shared/adoption/login-list'
import { useKeyCheck, useSeenKey } from '@/app/_shared/adoption/use-key-check'
import type { Candidate } from './device-row'
import type { Draft } from './wizard-data'

const pollMs = 1000

/** The sweep and the adoptions as they go, and the draft whenever a device came into it. */
export function useSweep(draft: Draft, onDraft: (draft: Draft) => void) {
  const [active, setActive] = useState(true)
  const { data, mutate } = useCall('wizard/discover/result', {}, { refreshMs: active ? pollMs : 0 })
  const busy =
    data?.state === 'running' || !!data?.adoption.some(item => item.state === 'running' || item.state === 'waiting')
  const adopted = data?.adoption.filter(item => item.state === 'adopted').length ?? 0
  useEffect(() => {
    if (data) setActive(busy)
  }, [data, busy])
  useEffect(() => {
    if (adopted === 0) return
    void callApi('wizard/initial-info', {}, { quiet: true })
      .then(info => info.draft && onDraft(info.draft))
      .catch(() => undefined)
  }, [adopted, onDraft])
  const refresh = () => {
    setActive(true)
    return mutate()
  }
  const candidates = useMemo(() => {
    const addresses = [data?.found, data?.adoption, draft.devices].flatMap(list => (list ?? []).map(one => one.address))
    return [...new Set(addresses)].map(
      (address): Candidate => ({
        address,
        found: data?.found.find(one => one.address === address),
        item: data?.adoption.find(one => one.address === address),
        adopted: draft.devices.find(one => one.address === address),
      }),
    )
  }, [data, draft.devices])
  return { sweep: data, busy, candidates, refresh }
}

type Run = <T>(work: () => Promise<T>) => Promise<T | undefined>

/** Shows host keys before a password is sent, then adopts. */
export function useAdoption(logins: Logins, refresh: () => unknown, run: Run) {
  const seenKey = useSeenKey()
  const send = async (devices: { address: string; hostKey?: string }[]) => {
    const given = logins.value.flatMap(one => ('credential' in one ? [one] : []))
    const done = await run(() => callApi('wizard/adopt', { devices, logins: given }, { quiet: true }))
    if (done) await refresh()
  }
  const keyOf = ({ address, found }: Candidate) => {
    const shown = { address, name: found?.name ?? address }
    const hostKey = found?.ssh?.hostKey
    if (hostKey) return { ...shown, hostKey }
    return seenKey(shown, () => callApi('wizard/fingerprint', { address }, { quiet: true }))
  }
  const check = useKeyCheck({ logins, keyOf, send })
  const cancel = () => void run(() => callApi('wizard/adopt/cancel', {}, { quiet: true })).then(() => refresh())
  return { check, send, cancel }
}
