'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useReason } from '@/app/_api/reason'
import { wordOr } from '@/app/_i18n/word'
import { Button } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { deviceState } from '@/model/device-state'
import type { DeviceInfo } from './device-info'
import { SetLoginDialog } from './dialogs'
import { LeftOut } from './left-out'

/** What a person should know before anything else on this page. */
export function Notices({ info, onChanged }: { info: DeviceInfo; onChanged: () => void }) {
  const t = useTranslations('devices.detail')
  const reason = useReason()
  const clock = useClock()
  const { problems } = info.reading
  return (
    <div className="stack notices">
      {info.openLogin && <OpenLogin info={info} onChanged={onChanged} />}
      {info.status === 0 && (
        <Note tone="warn" title={info.reason ? reason(info.reason).title : t('offline.title')}>
          {t('offline.since', { at: clock.dateTime(info.statusAt) })} {info.reason && reason(info.reason).advice}
        </Note>
      )}
      {deviceState(info) === 'silent' && (
        <Note tone="warn" title={reason(info.reason).title}>
          {t('silent', { at: clock.dateTime(info.seenAt ?? info.statusAt) })} {reason(info.reason).advice}
        </Note>
      )}
      {info.status === 3 && (
        <Note tone="info" title={t('waiting.title')}>
          {t('waiting.text')}
        </Note>
      )}
      <LeftOut info={info} />
      {info.status === 1 && problems && problems.length > 0 && (
        <Note tone="warn" title={t('problems.title')}>
          {problems.map(({ part, reason: why }) => (
            <div key={part}>
              {t('problems.line', {
                part: wordOr(t, `parts.${part}`, part),
                reason: reason(why).title,
              })}
            </div>
          ))}
        </Note>
      )}
    </div>
  )
}

function OpenLogin({ info, onChanged }: { info: DeviceInfo; onChanged: () => void }) {
  const t = useTranslations('devices')
  const [asking, setAsking] = useState(false)
  const mayEdit = useMay('devices_logins_edit')
  return (
    <>
      <Note
        tone="bad"
        title={t('detail.openLogin.title')}
        actions={
          mayEdit &&
          info.actions.includes('setLogin') && (
            <Button icon="key" onClick={() => setAsking(true)}>
              {t('setLogin.action')}
            </Button>
          )
        }
      >
        {t('detail.openLogin.text', { user: info.credential?.user || 'root' })}
      </Note>
      {asking && (
        <SetLoginDialog
          info={info}
          onClose={changed => {
            setAsking(false)
            if (changed) onChanged()
          }}
        />
      )}
    </>
  )
}
