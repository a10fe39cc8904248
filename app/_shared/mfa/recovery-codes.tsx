'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/app/_ui/button'

function saveAsFile(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'lanward-recovery-codes.txt' })
  link.click()
  URL.revokeObjectURL(url)
}

/** The recovery codes, shown this once, and the ways to keep them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useTranslations('mfa')
  const [copied, setCopied] = useState(false)
  const text = `${codes.join('\n')}\n`
  // Only over https: elsewhere browsers have no clipboard for pages.
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <div className="stack">
      <p className="soft">{t('codesWhy')}</p>
      <ul className="recovery-codes">
        {codes.map(code => (
          <li key={code} className="ip">
            {code}
          </li>
        ))}
      </ul>
      <div className="row wrapping">
        {window.isSecureContext && (
          <Button icon="copy" onClick={copy}>
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
        <Button icon="download" onClick={() => saveAsFile(text)}>
          {t('download')}
        </Button>
      </div>
    </div>
  )
}
