'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { MailForm } from './mail-form'
import { MailQueue } from './mail-queue'

export type MailSettings = CallOutput<'system-settings/smtp'>

/** The mail server through which everything is sent, and what waits for it. */
export function MailPage({ children }: { children: ReactNode }) {
  const t = useTranslations('manager.mail')
  const call = useCall('system-settings/smtp', {}, { live: true, keep: false })
  return (
    <>
      <PageHead title={useTranslations('backups')('title')} />
      {children}
      <div className="stack">
        <Card title={t('title')} pad>
          <Loaded call={call} lines={6}>
            {settings => (
              <div className="stack">
                <State settings={settings} />
                <MailForm key={settings.server ? 'set' : 'new'} settings={settings} />
              </div>
            )}
          </Loaded>
        </Card>
        <MailQueue />
      </div>
    </>
  )
}

/** What the server said last, and what is still missing. */
function State({ settings: { server, last } }: { settings: MailSettings }) {
  const t = useTranslations('manager.mail')
  if (!server)
    return (
      <Note tone="info" title={t('none')}>
        {t('noneMore')}
      </Note>
    )
  return (
    <>
      {!server.publicUrl && (
        <Note tone="warn" title={t('noUrl')}>
          {t('noUrlMore')}
        </Note>
      )}
      {last && (
        <Note tone={last.ok ? 'ok' : 'bad'} title={last.ok ? t('lastFine') : t('lastFailed')}>
          <Moment at={last.at} /> {last.error}
        </Note>
      )}
    </>
  )
}
