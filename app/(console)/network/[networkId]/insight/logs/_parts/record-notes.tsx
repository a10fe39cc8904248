import { useParams } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { LinkButton } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { bytes, inWords } from '@/app/_ui/format'
import { Note } from '@/app/_ui/note'
import type { RecordKind } from './record-columns'

export type RecordStatus = CallOutput<'records/status'>

/** To the settings of these records. */
function SettingsLink({ children }: { children: string }) {
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <LinkButton kind="primary" href={`/network/${networkId}/settings/system?tab=traffic`}>
      {children}
    </LinkButton>
  )
}

/** Where the settings of these records are, for whoever may change them. */
export function RecordsOff({ kind }: { kind: RecordKind }) {
  const t = useTranslations('records.off')
  const mayTurnOn = useMay('settings_system_edit')
  return (
    <Note tone="info" title={t(kind)} actions={mayTurnOn && <SettingsLink>{t('turnOn')}</SettingsLink>}>
      {!mayTurnOn && t('ask')}
    </Note>
  )
}

/** Nobody can read what is set: what that means, and where it is set again. */
export function RecordsDamaged() {
  const t = useTranslations('records.damaged')
  const mayRepair = useMay('settings_system_edit')
  return (
    <Note tone="bad" title={t('title')} actions={mayRepair && <SettingsLink>{t('open')}</SettingsLink>}>
      {t('text')}
    </Note>
  )
}

/** What is wrong with keeping and sending them, each with what to do about it. */
export function RecordNotes({ kind, status }: { kind: RecordKind; status: RecordStatus }) {
  const t = useTranslations('records')
  const { error, dropped } = status[kind]
  return (
    <>
      {!status.receiving && (
        <Note tone="warn" title={t('notReceiving.title')}>
          {t('notReceiving.text')}
        </Note>
      )}
      {error !== null && (
        <Note tone="bad" title={t('write.title', { error })}>
          {t('write.text')}
        </Note>
      )}
      {dropped > 0 && (
        <Note tone="warn" title={t('dropped.title', { count: dropped })}>
          {t('dropped.text')}
        </Note>
      )}
      <Sending kind={kind} status={status} />
    </>
  )
}

function Sending({ kind, status: { logServer: server, ...status } }: { kind: RecordKind; status: RecordStatus }) {
  const t = useTranslations('records.server')
  const clock = useClock()
  const { sending } = status[kind]
  if (server === null || !sending) return null
  const { failed, sentAt, dropped } = sending
  const lost = dropped > 0 && <p>{t('dropped', { count: dropped })}</p>
  const last = sentAt === undefined ? t('none', { server }) : t('sent', { server, at: clock.dateTime(sentAt) })
  if (!failed)
    return (
      <Note tone={dropped > 0 ? 'warn' : 'ok'} title={last}>
        {lost || undefined}
      </Note>
    )
  return (
    <Note tone="bad" title={t('failed', { server })}>
      <p>{t('why', { error: failed.error, code: String(failed.code) })}</p>
      {sentAt !== undefined && <p>{last}</p>}
      {lost}
    </Note>
  )
}

/** What may be done with them, how much is kept, and for how long. */
export function RecordsKept({ kind, status }: { kind: RecordKind; status: RecordStatus }) {
  const t = useTranslations('records')
  const clock = useClock()
  const locale = useLocale()
  const { bytes: used, oldest } = status[kind]
  const days = status.keepDays ?? 0
  const size =
    oldest === null
      ? t('sizeNone', { days })
      : t('size', { used: inWords(bytes(used, locale)), oldest: clock.dateTime(oldest), days })
  return (
    <p className="fine-print muted log-kept">
      {size} {t('names')} {t('law')}
    </p>
  )
}
