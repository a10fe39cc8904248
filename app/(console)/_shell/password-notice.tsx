'use client'
import { usePathname, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { leaveThen } from '@/app/_ui/leaving'

const where = '/account/settings'

/** After signing in with an old password: asks for a new one, now or after the next sign-in. */
export function PasswordNotice() {
  const t = useTranslations('shell.passwordNotice')
  const path = usePathname()
  const router = useRouter()
  const [closed, setClosed] = useState(false)
  const { data } = useCall(
    'auth/password-notice',
    {},
    { swr: { revalidateIfStale: false, revalidateOnReconnect: false } },
  )
  if (closed || path === where || data?.isShowPasswordUpdateNotice !== 1) return null
  const later = () => {
    setClosed(true)
    void callApi('auth/password-notice/later', {}, { quiet: true }).catch(() => undefined)
  }
  const change = () => {
    setClosed(true)
    leaveThen(() => router.push(`${where}#password`))
  }
  return (
    <Dialog
      open
      onClose={later}
      title={t('title')}
      footer={
        <>
          <Button onClick={later}>{t('later')}</Button>
          <Button kind="primary" onClick={change}>
            {t('change')}
          </Button>
        </>
      }
    >
      <p>{t('more', { days: data.passwordAge, limit: data.passwordTimeLimitation })}</p>
    </Dialog>
  )
}
