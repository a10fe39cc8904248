'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { Loaded } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { RenewDialog, TurnOffDialog, TurnOnDialog } from './mfa-dialogs'

type Info = CallOutput<'auth/mfa-info'>
type Asking = 'on' | 'off' | 'renew' | undefined
const few = 3

/** Whether a code is asked after the password, and the ways to change that. */
export function MfaCard() {
  const t = useTranslations('mfa')
  const call = useCall('auth/mfa-info', {})
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  const enabled = call.data?.enabled
  return (
    <Card
      title={t('title')}
      mark={
        enabled !== undefined && (
          <Badge tone={enabled ? 'ok' : undefined}>{enabled ? t('card.on') : t('card.off')}</Badge>
        )
      }
      pad
    >
      <Loaded call={call}>
        {info => (info.enabled ? <On info={info} onAsk={setAsking} /> : <Off onAsk={setAsking} />)}
      </Loaded>
      {asking === 'on' && <TurnOnDialog onClose={close} />}
      {asking === 'off' && <TurnOffDialog onClose={close} />}
      {asking === 'renew' && <RenewDialog onClose={close} />}
    </Card>
  )
}

type PartProps = { onAsk: (asking: Asking) => void }

function Off({ onAsk }: PartProps) {
  const t = useTranslations('mfa.card')
  return (
    <div className="stack">
      <p className="soft">{t('offMore')}</p>
      <div>
        <Button kind="primary" onClick={() => onAsk('on')}>
          {t('turnOn')}
        </Button>
      </div>
    </div>
  )
}

function On({ info, onAsk }: PartProps & { info: Info }) {
  const t = useTranslations('mfa.card')
  return (
    <div className="stack">
      <KeyValues
        rows={[
          info.since !== null && [t('since'), <Moment key="since" at={info.since} />],
          [
            t('left'),
            <span key="left" className="number">
              {info.recoveryLeft}
            </span>,
          ],
        ]}
      />
      {info.recoveryLeft < few && <Note tone="warn" title={t('few')} />}
      <div className="row wrapping">
        <Button onClick={() => onAsk('renew')}>{t('renew')}</Button>
        {info.forced ? (
          <span className="soft">{t('forced')}</span>
        ) : (
          <Button kind="danger" onClick={() => onAsk('off')}>
            {t('turnOff')}
          </Button>
        )}
      </div>
    </div>
  )
}
