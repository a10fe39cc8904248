'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { type ApiError, onOutcome } from '@/app/_api/client'
import { useLive } from '@/app/_api/events'
import { endSessions } from '@/app/_api/sign-out'
import { useFailureText } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import { codes } from '@/model/codes'

let leaving = false

/** To the sign-in, and back here afterwards; once, however many calls were refused. */
export function goToLogin(): void {
  if (leaving) return
  leaving = true
  window.location.assign(`/login?to=${encodeURIComponent(window.location.pathname + window.location.search)}`)
}

/** Whoever signs out has no way back here: that the session ended is no news then. */
export async function signOut(): Promise<void> {
  leaving = true
  await endSessions()
}

/** The same where an act itself ends the session; one that is refused changes nothing. */
export async function signOutWith(act: () => Promise<unknown>): Promise<void> {
  leaving = true
  try {
    await act()
  } catch (error) {
    leaving = false
    throw error
  }
  window.location.assign('/login')
}

/** A part that its viewer may not see says so itself; an act that is refused ends here. */
const isForbidden = ({ retCode }: ApiError, quiet: boolean) =>
  retCode === codes.menuForbidden || (retCode === codes.noAuthority && !quiet)

/** What the frame asked about a network that was taken away meanwhile concerns nobody on a page of no network. */
const isNetworkLost = ({ retCode }: ApiError, quiet: boolean) =>
  retCode === codes.networkNotFound && (!quiet || window.location.pathname.startsWith('/network/'))
const networkOf = ({ data }: ApiError) => (data.networkId as number | null | undefined) ?? null

const drawnMs = 200
/** What stands at its field needs no notice beside: on a phone that would hide the field. */
function unlessAtField({ fields }: ApiError, tell: () => void): void {
  if (Object.keys(fields).length === 0) tell()
  else setTimeout(() => document.querySelector('.field-error') ?? tell(), drawnMs)
}

/** Answers to refused calls that are the same everywhere (specification 2-rules.md section 8.1), and success toasts. */
export function Outcomes() {
  const t = useTranslations('common')
  const text = useFailureText()
  const router = useRouter()
  const [lost, setLost] = useState<{ networkId: number | null }>()
  useEffect(() => {
    const fail = (error: ApiError, quiet: boolean) => {
      if (error.kind === 'session') return goToLogin()
      if (isNetworkLost(error, quiet)) return setLost(open => open ?? { networkId: networkOf(error) })
      if (isForbidden(error, quiet)) return router.push('/forbidden')
      if (quiet) return
      const detail =
        error.requestId && !/refused/.test(error.kind) ? t('requestId', { id: error.requestId }) : undefined
      unlessAtField(error, () => toast('bad', text(error), { detail }))
    }
    return onOutcome(event => {
      if ('error' in event) fail(event.error, event.quiet)
      else toast('ok', t.has(`done.${event.done}`) ? t(`done.${event.done}`) : t('done.save_success'))
    })
  }, [t, text, router])
  useLive(['signedOut'], event => event !== 'all' && goToLogin())
  useEffect(() => {
    const query = new URLSearchParams(window.location.search)
    if (!query.has('denied')) return
    query.delete('denied')
    window.history.replaceState(null, '', `${window.location.pathname}${query.size > 0 ? `?${query}` : ''}`)
    toast('bad', t('failure.forbidden'))
  }, [t])
  if (!lost) return null
  const leave = () => {
    setLost(undefined)
    window.location.assign(lost.networkId === null ? '/organization/network' : `/network/${lost.networkId}/dashboard`)
  }
  return (
    <Dialog
      open
      onClose={leave}
      title={t('networkGone')}
      footer={
        <Button kind="primary" onClick={leave}>
          {lost.networkId === null ? t('toNetworks') : t('toOtherNetwork')}
        </Button>
      }
    >
      <p>{t('networkGoneMore')}</p>
    </Dialog>
  )
}
