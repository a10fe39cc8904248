import { useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useFailureText } from '@/app/_api/words'
import type { SeenKey } from './fingerprints'
import type { Logins } from './login-list'

type Device = { address: string; hostKey?: string }

/** Asks for a device's host key; what went wrong is said in its place. */
export function useSeenKey() {
  const text = useFailureText()
  const reason = useReason()
  return async (of: { address: string; name: string }, ask: () => Promise<{ hostKey: string }>): Promise<SeenKey> => {
    try {
      return { ...of, hostKey: (await ask()).hostKey }
    } catch (error) {
      if (!(error instanceof ApiError)) return { ...of, problem: '' }
      const why = String(error.data.reason ?? '')
      return { ...of, problem: why ? reason(why).title : text(error) }
    }
  }
}

type Check<One> = {
  logins: Pick<Logins, 'ssh' | 'snmp'>
  keyOf: (one: One) => SeenKey | Promise<SeenKey>
  /** Logs in to them; a device with a key only if it still shows that one. */
  send: (devices: Device[]) => Promise<unknown>
}

/** Host keys are shown, and accepted, before anything secret goes to their devices. `keys`: what is asked now. */
export function useKeyCheck<One extends { address: string }>({ logins, keyOf, send }: Check<One>) {
  const [keys, setKeys] = useState<readonly SeenKey[]>()
  const begin = async (devices: readonly One[]): Promise<void> => {
    const bare = devices.map(({ address }) => ({ address }))
    if (!logins.ssh) return void (await send(bare))
    const seen = await Promise.all(devices.map(keyOf))
    // Without SSH there is no key to accept, and SNMP needs none.
    if (logins.snmp && seen.every(({ hostKey }) => !hostKey)) return void (await send(bare))
    setKeys(seen)
  }
  /** The accepted ones, and those without SSH where SNMP is tried too. */
  const accept = (accepted: readonly SeenKey[]) => {
    const others = logins.snmp ? (keys ?? []).filter(({ hostKey }) => !hostKey) : []
    setKeys(undefined)
    void send([...accepted, ...others].map(({ address, hostKey }) => ({ address, ...(hostKey && { hostKey }) })))
  }
  return { keys, begin, accept, close: () => setKeys(undefined) }
}
