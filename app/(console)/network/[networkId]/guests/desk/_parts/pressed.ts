import { ApiError, type CallInput, callApi } from '@/app/_api/client'
import { doubtReach } from '@/app/_api/reach'
import type { Act } from './rows'

// Presses that are not known to be done. They stand in the browser's store before they are sent, so that neither a broken
// link nor a closed page loses one; each has an id, so that the manager does it once however often it is sent.

/** As of RFC 9562, version 4. `crypto.randomUUID` is missing on pages without https. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const isAct = (one: unknown): one is Act => {
  const { act, name, input, about } = (one ?? {}) as Record<string, unknown>
  return [act, name, about].every(text => typeof text === 'string') && typeof input === 'object' && input !== null
}

/** What an earlier page left undone; what is no press any more is dropped. */
export function readPressed(key: string): Act[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isAct) : []
  } catch {
    return []
  }
}

export function keepPressed(key: string, acts: readonly Act[]): void {
  try {
    if (acts.length > 0) localStorage.setItem(key, JSON.stringify(acts))
    else localStorage.removeItem(key)
  } catch {
    // A browser that keeps nothing: the open page tries on its own.
  }
}

const againMs = 1500
const pause = () => new Promise(done => setTimeout(done, againMs))
/** Nobody knows whether it arrived. */
const isUnsure = (error: unknown) => error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout')

/**
 * Sends a press until the manager has answered it; rejects with what it refused, and with anything while `stopped`.
 * `waiting` is told when an answer did not come.
 */
export async function send(
  networkId: number,
  { act, name, input }: Act,
  { waiting, stopped }: { waiting(): void; stopped(): boolean },
): Promise<unknown> {
  for (;;) {
    try {
      const whole = { networkId, act, ...input } as CallInput<'vouchers/desk/extend'>
      return await callApi(`vouchers/desk/${name}` as 'vouchers/desk/extend', whole, { quiet: true })
    } catch (error) {
      if (!isUnsure(error) || stopped()) throw error
      waiting()
      await Promise.all([doubtReach(), pause()])
    }
  }
}
