import { useLocale, useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { bytes, inWords } from '@/app/_ui/format'
import { Note } from '@/app/_ui/note'
import type { Reception } from './rows'

type Now = NonNullable<Reception['now']>

/** Whether lines can come in. */
export const isOpen = (reception: Reception | undefined): boolean =>
  [reception?.now?.udp, reception?.now?.tcp, reception?.now?.tls, reception?.now?.traps].includes('listening')

/** What is wrong with the reception, each with what to do about it. */
export function ReceptionNotes({
  reception,
  mayManage,
  onSettings,
}: {
  reception: Reception
  mayManage: boolean
  onSettings: () => void
}) {
  const t = useTranslations('logs')
  const { settings, capturing, now } = reception
  if (capturing && settings.protocol === 'off' && now)
    return (
      <>
        <Note tone="info">{t('captures.now')}</Note>
        <Troubles now={now} settings={settings} />
      </>
    )
  if (settings.protocol === 'off' && !settings.tls && !settings.traps)
    return (
      <Note
        tone="info"
        title={t('off.title')}
        actions={
          mayManage && (
            <Button kind="primary" onClick={onSettings}>
              {t('off.turnOn')}
            </Button>
          )
        }
      >
        {mayManage ? t('off.text') : t('off.ask')}
      </Note>
    )
  if (!now) return <Note tone="pending">{t('starting')}</Note>
  return <Troubles now={now} settings={settings} />
}

function Troubles({ now, settings: { port, tlsPort, trapPort } }: { now: Now; settings: Reception['settings'] }) {
  const t = useTranslations('logs')
  const lost = now.dropped + (now.droppedBySystem ?? 0)
  return (
    <>
      <Closed now={now} port={port} way="udp" />
      <Closed now={now} port={port} way="tcp" />
      <Closed now={now} port={tlsPort} way="tls" />
      <Closed now={now} port={trapPort} way="traps" />
      {now.writeError !== undefined && (
        <Note tone="bad" title={t('write.title', { error: now.writeError })}>
          {t('write.text')}
        </Note>
      )}
      {lost > 0 && (
        <Note tone="warn" title={t('lost.title', { count: lost })}>
          {t('lost.text')}
        </Note>
      )}
      {(now.udp === 'listening' || now.traps === 'listening') && now.droppedBySystem === null && (
        <Note tone="info">{t('uncounted')}</Note>
      )}
      {now.restarts > 0 && <Note tone="warn">{t('restarts', { count: now.restarts })}</Note>}
      {now.unknown > 0 && (
        <Note tone="info" title={t('strangers.title', { count: now.unknown })}>
          {now.strangers.length > 0 &&
            t('strangers.text', { list: now.strangers.map(one => `${one.address} (${one.lines})`).join(', ') })}
        </Note>
      )}
      <Refused now={now} />
      {now.badTls > 0 && (
        <Note tone="warn" title={t('badTls.title', { count: now.badTls })}>
          {t('badTls.text')}
        </Note>
      )}
    </>
  )
}

/** Traps that nobody took, by why, and who sent the last of them. */
function Refused({ now: { refusedTraps, refusedSenders } }: { now: Now }) {
  const t = useTranslations('logs.refused')
  const reasons = Object.entries(refusedTraps)
  if (!reasons.length) return null
  const count = reasons.reduce((sum, [, one]) => sum + one, 0)
  const list = refusedSenders.map(({ address, why }) => t('sender', { address, why })).join(', ')
  return (
    <Note
      tone="warn"
      title={t('title', { count, reasons: reasons.map(([why, one]) => t('reason', { count: one, why })).join(', ') })}
    >
      {list && t('text', { list })}
    </Note>
  )
}

function Closed({ now, port, way }: { now: Now; port: number; way: 'udp' | 'tcp' | 'tls' | 'traps' }) {
  const t = useTranslations('logs')
  const state = now[way]
  if (typeof state === 'string' || state.error === 'starting') return null
  const { error } = state
  const why =
    error === 'EACCES' || error === 'EADDRINUSE' || error === 'noCertificate'
      ? t(`failed.${error}`)
      : t('failed.other', { error })
  return (
    <Note tone="bad" title={t('failed.title', { port: String(port), protocol: t(`ways.${way}`) })}>
      {why}
    </Note>
  )
}

/** How much came, and how much is kept. */
export function Kept({ reception: { settings, now } }: { reception: Reception }) {
  const t = useTranslations('logs')
  const clock = useClock()
  const locale = useLocale()
  if (!now) return null
  const size =
    now.oldest === undefined
      ? t('sizeNone')
      : t('size', {
          used: inWords(bytes(now.bytes, locale)),
          most: inWords(bytes(settings.megabytes * 1_048_576, locale)),
          oldest: clock.dateTime(now.oldest),
        })
  return (
    <p className="fine-print muted log-kept">
      {t('counts', { received: now.received, kept: now.kept })} {size}
    </p>
  )
}
