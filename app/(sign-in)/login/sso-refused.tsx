'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'

/** Why the identity provider's answer was not taken; `code` is one of 1110105-1110115. */
export function SsoRefused({ code }: { code: string }) {
  const t = useTranslations('signIn.sso')
  const codes = useTranslations('codes')
  const [open, setOpen] = useState(true)
  const close = () => {
    setOpen(false)
    const url = new URL(window.location.href)
    url.searchParams.delete('ssoError')
    window.history.replaceState(null, '', url)
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('refused')}
      footer={
        <Button kind="primary" onClick={close}>
          {t('understood')}
        </Button>
      }
    >
      <p>{codes(code as '1110108')}</p>
    </Dialog>
  )
}
