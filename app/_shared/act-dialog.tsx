'use client'
import type { ComponentProps } from 'react'
import { type CallInput, type CallOutput, type CallPath, callApi } from '@/app/_api/client'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'

type Props<P extends CallPath> = Omit<ComponentProps<typeof ConfirmDialog>, 'open' | 'onConfirm'> & {
  open?: boolean
  call: P
  input: CallInput<P>
  /** What a toast says of it once it is done, from the call's answer where it needs that; without it nothing. */
  done?: string | ((answer: CallOutput<P>) => string)
}

/** A question whose answer makes one call: runs it, shows a refusal and stays, else says so and closes. */
export function ActDialog<P extends CallPath>({ call, input, done, open = true, ...question }: Props<P>) {
  const act = async () => {
    const answer = await callApi(call, input)
    if (done !== undefined) toast('ok', typeof done === 'string' ? done : done(answer))
  }
  return <ConfirmDialog {...question} open={open} onConfirm={act} />
}
