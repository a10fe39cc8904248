'use client'
import { useRouter } from 'next/navigation'
import { LeaveQuestion } from '@/app/_ui/dialog'
import { useLeaveGuard } from '@/app/_ui/leaving'

/** `on`: something is changed and not saved; `busy`: it is being saved, which may lead elsewhere unasked. */
type Props = { on: boolean; busy: boolean }

/** Asks once before a changed form is left, whatever leads away from it. */
export function LeaveGuard({ on, busy }: Props) {
  const { push } = useRouter()
  return <LeaveQuestion {...useLeaveGuard({ on, busy, follow: push })} />
}
