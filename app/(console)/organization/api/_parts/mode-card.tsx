import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'

type Props = {
  /** What is turned, as the call names it. */
  field: 'enabled' | 'presence'
  enabled: boolean
  mayTurn: boolean
  /** Stands out while it is off: nothing else on the page works without it. */
  first?: boolean
  /** After the sentence that says whether it is on. */
  children?: ReactNode
}

/** Its words, of one shape each. */
const words = { enabled: 'api.mode', presence: 'api.presence' } as const

/** Says whether something for scripts is on; the super administrator turns it here. */
export function ModeCard({ field, enabled, mayTurn, first, children }: Props) {
  const t = useTranslations(words[field])
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const turnOn = async () => {
    setBusy(true)
    // Why it failed is told by a toast.
    const done = await callApi('developer-api/save', { [field]: true }).catch(() => undefined)
    if (done) toast('ok', t('turnedOn'))
    await whenRenewed()
    setBusy(false)
  }
  const action = enabled ? (
    <Button onClick={() => setAsking(true)}>{t('turnOff')}</Button>
  ) : (
    <Button kind={first ? 'primary' : undefined} busy={busy} onClick={() => void turnOn()}>
      {t('turnOn')}
    </Button>
  )
  return (
    <>
      <Note tone={enabled ? 'ok' : 'info'} title={t(`title.${enabled ? 'on' : 'off'}`)} actions={mayTurn && action}>
        {t(enabled ? 'on' : 'off')} {children}
      </Note>
      {asking && (
        <ActDialog
          call="developer-api/save"
          input={{ [field]: false }}
          done={t('turnedOff')}
          danger
          onClose={() => setAsking(false)}
          title={t('offTitle')}
          consequences={[t('offWhat')]}
          action={t('turnOff')}
        />
      )}
    </>
  )
}
