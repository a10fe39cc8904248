'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { OwnForm } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { useClock } from '@/app/_ui/clock'
import { Dialog } from '@/app/_ui/dialog'
import { leaveThen } from '@/app/_ui/leaving'
import { Note } from '@/app/_ui/note'

/** Where the changelog is written down as it grows. */
export function SyslogDialog({ spec, onClose }: { spec: KindSpec<'syslog'>; onClose: () => void }) {
  const t = useTranslations('changelog.syslog')
  const { data } = useCall('changelog/syslog/get', {}, { keep: false })
  return (
    <Dialog open onClose={() => leaveThen(onClose)} title={t('title')}>
      <p className="soft">{t('help')}</p>
      <OwnForm
        bare
        spec={spec}
        changes={['changelog/syslog/get', 'changelog/list']}
        top={() => data?.last && <LastDelivery last={data.last} />}
        onSaved={onClose}
        onCancel={onClose}
      />
    </Dialog>
  )
}

type Last = NonNullable<CallOutput<'changelog/syslog/get'>['last']>

function LastDelivery({ last }: { last: Last }) {
  const t = useTranslations('changelog.syslog')
  const clock = useClock()
  const at = clock.dateTime(last.at, true)
  return (
    <Note tone={last.ok ? 'ok' : 'bad'}>
      {last.ok ? t('lastFine', { at }) : t('lastFailed', { at, error: last.error })}
    </Note>
  )
}
