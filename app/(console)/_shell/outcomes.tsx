'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { type ApiError, callApi, onOutcome } from '@/app/_api/client'
import { useLive } from '@/app/_api/events'
import { hasUnsaved } from '@/app/_api/session-end'
import { endSessions } from '@/app/_api/sign-out'
import { useFailureText } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import { codes } from '@/model/codes'

let leaving = false
/** Whoever signs out, or goes to the sign-in already, is asked for nothing. */
export const isLeaving = (): boolean => leaving

function leaveForLogin(ended: boolean): void {
  if (leaving) return
  leaving = true
  const to = encodeURIComponent(window.location.pathname + window.location.search)
  window.location.assign(`/login?to=${to}${ended ? '&ended=1' : ''}`)
}

/** To the sign-in, and back here afterwards; once, however many calls were refused. */
export const goToLogin = (): void => leaveForLogin(false)

/** The same after a session ended, which the sign-in says. What is typed here is not left behind: its save asks again. */
function sessionEnded(): void {
  if (!hasUnsaved()) leaveForLogin(true)
}

/** Whoever signs out has no way back here: that the session ended is no news then. */
export async function signOut(): Promise<void> {
  leaving = true
  await endSessions()
}

export const toSignIn = (): void => window.location.assign('/login')

/** The same where an act itself ends the session; one that is refused changes nothing. `then`: says so before it leads to the sign-in. */
export async function signOutWith(act: () => Promise<unknown>, then: () => void = toSignIn): Promise<void> {
  leaving = true
  try {
    await act()
  } catch (error) {
    leaving = false
    throw error
  }
  then()
}

/** A part that its viewer may not see says so itself; an act that is refused ends here. */
const isForbidden = ({ retCode }: ApiError, quiet: boolean) =>
  retCode === codes.menuForbidden || (retCode === codes.noAuthority && !quiet)

/** A device that is in another network now, or what a shared network is not shared for. A part of a page says so itself. */
const leadsHome = ({ retCode }: ApiError, quiet: boolean) =>
  !quiet && (retCode === codes.deviceElsewhere || retCode === codes.notInShared)

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

/** A manager that has to be upgraded first is no fault. */
const toneOf = ({ retCode }: ApiError) => (retCode === codes.backupNewer ? 'warn' : 'bad')

const detailOf = ({ requestId, kind }: ApiError, t: (key: 'requestId', values: { id: string }) => string) =>
  requestId && kind !== 'refused' ? t('requestId', { id: requestId }) : undefined

/** Answers to refused calls that are the same everywhere (specification 2-rules.md section 8.1), and success toasts. */
export function Outcomes() {
  const t = useTranslations('common')
  const text = useFailureText()
  const router = useRouter()
  const [lost, setLost] = useState<{ networkId: number | null }>()
  useEffect(() => {
    const fail = (error: ApiError, quiet: boolean) => {
      if (error.kind === 'session') return sessionEnded()
      if (isNetworkLost(error, quiet)) return setLost(open => open ?? { networkId: networkOf(error) })
      if (isForbidden(error, quiet)) return router.push('/forbidden')
      if (leadsHome(error, quiet)) {
        router.push('/')
        return toast('bad', text(error))
      }
      if (quiet) return
      unlessAtField(error, () => toast(toneOf(error), text(error), { detail: detailOf(error, t) }))
    }
    return onOutcome(event => {
      if ('error' in event) fail(event.error, event.quiet)
      else toast('ok', t(`done.${event.done}`))
    })
  }, [t, text, router])
  // Another tab may have signed in meanwhile: a call tells, and is refused as any other.
  useLive(['signedOut'], event => {
    if (event !== 'all') void callApi('auth/authority', {}, { quiet: true, asks: true }).catch(() => undefined)
  })
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
