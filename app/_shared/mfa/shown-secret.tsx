'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'

export type Shown = CallOutput<'mfa/setup'>

/** What an authenticator app reads: the QR code, always dark on white, and the same key for whoever types it. */
export function ShownSecret({ shown }: { shown: Shown }) {
  const t = useTranslations('mfa')
  const { size, path } = shown.qr
  return (
    <div className="stack">
      <p className="soft">{t('scan')}</p>
      <svg
        className="qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t('picture')}
        shapeRendering="crispEdges"
      >
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <div className="field">
        <span className="label">{t('key')}</span>
        <code className="ip key" data-key={shown.secret}>
          {shown.secret.match(/.{1,4}/g)?.join(' ')}
        </code>
      </div>
    </div>
  )
}
