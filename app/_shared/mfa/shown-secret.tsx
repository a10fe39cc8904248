'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { QrCode } from '@/app/_ui/qr-code'

export type Shown = CallOutput<'mfa/setup'>

/** What an authenticator app reads: the QR code, always dark on white, and the same key for whoever types it. */
export function ShownSecret({ shown }: { shown: Shown }) {
  const t = useTranslations('mfa')
  return (
    <div className="stack">
      <p className="soft">{t('scan')}</p>
      <QrCode qr={shown.qr} label={t('picture')} />
      <div className="field">
        <span className="label">{t('key')}</span>
        <code className="ip key" data-key={shown.secret}>
          {shown.secret.match(/.{1,4}/g)?.join(' ')}
        </code>
      </div>
    </div>
  )
}
