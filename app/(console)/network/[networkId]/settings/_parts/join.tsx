'use client'
import { useTranslations } from 'next-intl'
import { useCallback, useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { useCopy } from '@/app/_ui/copy'
import { Dialog } from '@/app/_ui/dialog'
import { QrCode } from '@/app/_ui/qr-code'
import './wifi.css'

type Joining = CallOutput<'wifi/ssids/join'>

/**
 * Asks for the key of a network when somebody wants to see it and not before: that it was shown stands in the changelog.
 * The dialog is drawn outside of a table: a click in it is none on a row.
 */
export function useJoin() {
  const [shown, setShown] = useState<Joining>()
  const open = useCallback(async (id: string) => {
    setShown(await callApi('wifi/ssids/join', withNetwork({ id })).catch(() => undefined))
  }, [])
  return { open, dialog: shown && <JoinDialog shown={shown} onClose={() => setShown(undefined)} /> }
}

/** At the head of the form. */
export function JoinButton({ id }: { id: string }) {
  const t = useTranslations('wifi.ssid.join')
  const { open, dialog } = useJoin()
  return (
    <>
      <Button icon="qr" onClick={() => void open(id)}>
        {t('action')}
      </Button>
      {dialog}
    </>
  )
}

/** What people need to join a network: the code for a camera, the name and the key for whoever types. Printed alone. */
function JoinDialog({ shown, onClose }: { shown: Joining; onClose: () => void }) {
  const t = useTranslations('wifi.ssid.join')
  const security = useTranslations('wifi.ssid.fields.security.choices')
  const common = useTranslations('common')
  const copy = useCopy()
  const { name, key, qr } = shown
  const footer = (
    <>
      {key !== undefined && (
        <Button icon="copy" onClick={() => void copy(key)}>
          {t('copy')}
        </Button>
      )}
      {qr && (
        <Button icon="print" onClick={() => window.print()}>
          {t('print')}
        </Button>
      )}
      <Button kind="primary" onClick={onClose}>
        {common('close')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={t('title', { name })} footer={footer}>
      <div className="join-sheet print-alone stack">
        {qr ? <QrCode qr={qr} label={t('picture', { name })} /> : <p>{t('none')}</p>}
        {qr && <p className="join-scan soft">{t('scan')}</p>}
        <dl className="join-facts">
          <dt>{t('name')}</dt>
          <dd>{name}</dd>
          <dt>{t('security')}</dt>
          <dd>{security(shown.security as 'wpa2')}</dd>
          {key !== undefined && (
            <>
              <dt>{t('key')}</dt>
              <dd className="join-key">{key}</dd>
            </>
          )}
        </dl>
      </div>
      {key !== undefined && <p className="muted fine-print">{t('logged')}</p>}
    </Dialog>
  )
}
