'use client'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { onSessionEnd } from '@/app/_api/session-end'
import { isLeaving } from './outcomes'

// Seldom needed: loaded then.
const AskAgain = dynamic(async () => (await import('./ask-again')).AskAgain)

type Waiting = { goOn: (again: boolean) => void }

/** A session ended under a form that holds something: the password, and the code, are asked above it, and nothing is lost. */
export function SignInAgain({ account }: { account: string }) {
  const [waiting, setWaiting] = useState<Waiting>()
  useEffect(
    () => onSessionEnd(async () => !isLeaving() && (await new Promise<boolean>(goOn => setWaiting({ goOn })))),
    [],
  )
  if (!waiting) return null
  const close = (done: boolean) => {
    setWaiting(open => (open === waiting ? undefined : open))
    waiting.goOn(done)
  }
  return <AskAgain account={account} onClose={close} />
}
