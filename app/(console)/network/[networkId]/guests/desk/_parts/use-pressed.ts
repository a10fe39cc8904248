'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { holdUnsaved, pageAccount } from '@/app/_api/session-end'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { toast } from '@/app/_ui/toast'
import { keepPressed, newId, readPressed, send } from './pressed'
import type { Act, ActInput, ActName, Sold } from './rows'

const without = (act: string) => (acts: readonly Act[]) => acts.filter(one => one.act !== act)

type Hears = { sold(answer: Sold): void; voided(id: number): void }
export type Press = <Name extends ActName>(name: Name, input: ActInput<Name>, about: string) => void

/**
 * Does what is pressed, one after the other. `acts`: those not known to be done, the first one on its way; `waits`: it did
 * not arrive, and is sent again by itself.
 */
export function usePressed({ sold, voided }: Hears) {
  const t = useTranslations('desk.done')
  const failure = useFailureText()
  const fieldErrors = useFieldErrors()
  const networkId = Number(useParams<{ networkId: string }>().networkId)
  const [acts, setActs] = useState<readonly Act[]>([])
  const [waits, setWaits] = useState(false)
  const held = useRef<readonly Act[]>([])
  const busy = useRef(false)
  const gone = useRef(false)
  const key = `front-desk ${pageAccount()['x-lanward-account'] ?? ''} ${networkId}`

  // The store is changed as it is now: another tab, or a page that was left, may be at work with it.
  const change = useCallback(
    (to: (acts: readonly Act[]) => readonly Act[]) => {
      held.current = to(held.current)
      keepPressed(key, to(readPressed(key)))
      setActs(held.current)
    },
    [key],
  )
  const ended = useRef<(act: Act, answer: unknown) => void>(() => undefined)
  const refused = useRef<(error: unknown) => void>(() => undefined)
  ended.current = (act, answer) => {
    if (act.name === 'sell') sold(answer as Sold)
    if (act.name === 'void') voided((act.input as { id: number }).id)
    // What was sold stands there to be read; a notice would lie above it on a phone.
    if (act.name !== 'sell') toast('ok', t(act.name))
  }
  refused.current = error => {
    if (error instanceof ApiError) toast('bad', Object.values(fieldErrors(error))[0] ?? failure(error))
  }

  /** False where nothing more is sent from here: the page was left, or the session ended; then the press is kept. */
  const settle = useCallback(
    async (own: Act): Promise<boolean> => {
      const isDropped = () => gone.current || held.current[0]?.act !== own.act
      try {
        const answer = await send(networkId, own, { waiting: () => setWaits(true), stopped: isDropped })
        change(without(own.act))
        ended.current(own, answer)
      } catch (error) {
        if (gone.current || (error instanceof ApiError && error.kind === 'session')) return false
        if (!isDropped()) refused.current(error)
        change(without(own.act))
      }
      setWaits(false)
      return true
    },
    [networkId, change],
  )
  const work = useCallback(async () => {
    if (busy.current) return
    busy.current = true
    const release = holdUnsaved()
    for (let act = held.current[0]; act && !gone.current; act = held.current[0]) if (!(await settle(act))) break
    release()
    busy.current = false
  }, [settle])

  useEffect(() => {
    gone.current = false
    held.current = readPressed(key)
    setActs(held.current)
    void work()
    return () => {
      gone.current = true
    }
  }, [key, work])

  const press: Press = useCallback(
    (name, input, about) => {
      const act = { act: newId(), name, input, about }
      change(acts => [...acts, act])
      void work()
    },
    [change, work],
  )
  return { acts, waits, press, drop: (act: string) => change(without(act)) }
}
