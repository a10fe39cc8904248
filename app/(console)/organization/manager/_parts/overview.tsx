import { useTranslations } from 'next-intl'
import { useReasonText } from '@/app/_api/words'
import { KeyValues } from '@/app/_ui/card'
import { Age, Moment } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import { Bytes } from '@/app/_ui/value'
import type { Backups } from './rows'

/** Whether there is something to go back to, and what the last failure was. */
export function Overview({ data }: { data: Backups }) {
  const t = useTranslations('backups')
  const why = useReasonText()
  const { lastProven, lastFailure, used, schedule } = data
  const proven = lastProven && (
    <span className="row">
      <Status state="confirmed">
        <Age at={lastProven.at} />
      </Status>
      <span className="soft">
        {t('lastProvenHolds', { devices: lastProven.devices, documents: lastProven.documents })}
      </span>
    </span>
  )
  return (
    <div className="stack">
      {!lastProven && <Note tone="warn" title={t('never')} />}
      {lastProven && !lastProven.portable && (
        <Note tone="warn" title={t('notPortable')}>
          {t('notPortableMore')}
        </Note>
      )}
      {data.gone && (
        <Note tone="bad" alert title={t('gone')}>
          {t('goneMore', { path: schedule.path })}
        </Note>
      )}
      {lastFailure && !data.gone && (
        <Note tone="bad" title={t('failedTitle')}>
          <Moment at={lastFailure.at} />: {why(lastFailure.reason)}
        </Note>
      )}
      <KeyValues
        rows={[
          proven !== null && [t('lastProven'), proven],
          data.next !== null && [t('next'), <Moment key="next" at={data.next} />],
          [
            t('storage'),
            <span key="storage" className="row">
              <Bytes value={used} />
              <span className="soft">{t('storageOf')}</span>
              <Bytes value={schedule.storageLimitMb * 1024 * 1024} />
            </span>,
          ],
        ]}
      />
    </div>
  )
}
