'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import type { SeenKey } from '@/app/_shared/adoption/fingerprints'
import { credentialOf, type Login } from '@/app/_shared/adoption/login-data'
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

/** Shows host keys before a password is sent, then adopts. */
export function useAdoption(
  login: Login,
  refresh: () => unknown,
  run: <T>(work: () => Promise<T>) => Promise<T | undefined>,
) {
  const reasons = useTranslations('reasons')
  const text = useFailureText()
  const [keys, setKeys] = useState<readonly SeenKey[]>()
  const send = async (devices: { address: string; hostKey?: string }[]) => {
    const done = await run(() => callApi('wizard/adopt', { devices, credential: credentialOf(login) }, { quiet: true }))
    if (done) await refresh()
    return done !== undefined
  }
  const keyOf = async ({ address, found }: Candidate): Promise<SeenKey> => {
    const name = found?.name ?? address
    if (found?.ssh?.hostKey) return { address, name, hostKey: found.ssh.hostKey }
    try {
      const seen = await callApi('wizard/fingerprint', { address }, { quiet: true })
      return { address, name, hostKey: seen.hostKey }
    } catch (error) {
      const reason = error instanceof ApiError ? String(error.data.reason ?? '') : ''
      const known = reason && reasons.has(`${reason}.title`)
      return {
        address,
        name,
        problem: known ? reasons(`${reason}.title`) : error instanceof ApiError ? text(error) : '',
      }
    }
  }
  const adopt = async (chosen: readonly Candidate[]) => {
    if (login.way !== 'ssh') return void (await send(chosen.map(({ address }) => ({ address }))))
    setKeys(await Promise.all(chosen.map(keyOf)))
  }
  return { keys, setKeys, adopt, send }
}
