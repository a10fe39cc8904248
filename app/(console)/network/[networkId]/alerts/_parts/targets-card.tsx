'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Age, Moment } from '@/app/_ui/clock'
import { Status } from '@/app/_ui/status'
import type { Service } from '@/model/notify/services'
import { RowsCard } from './rows-card'
import { TargetForm } from './target-form'
import { type Target, useReason } from './target-words'

/** The services that alerts go to beside mail, and how each fared. */
export function TargetsCard() {
  const t = useTranslations('alerts.targets')
  const call = useCall('alerts/targets/list', {}, { live: true })
  return (
    <RowsCard
      t={t}
      icon="alerts"
      call={call}
      may={useMay('organization_notices_edit')}
      nameOf={row => row.name}
      isDamaged={row => row.values === null}
      form={({ offered }, row, close) => <TargetForm row={row} offered={offered} onClose={close} />}
      deletion={({ id, name }, close) => (
        <ActDialog
          call="alerts/targets/delete"
          input={{ id }}
          done={t('deleted', { name })}
          danger
          onClose={close}
          title={t('deleteTitle', { name })}
          consequences={[t('deleteWhat')]}
          action={t('delete')}
        />
      )}
    >
      {row => <TargetLines row={row} />}
    </RowsCard>
  )
}

function TargetLines({ row }: { row: Target }) {
  const t = useTranslations('alerts.targets')
  const { name, values } = row
  return (
    <>
      <b>{name}</b>{' '}
      <span className="soft">
        {values && t(`services.${values.service as Service}`)}
        {values?.afterMinutes !== undefined && ` · ${t('lateAfter', { minutes: Number(values.afterMinutes) })}`}
      </span>
      <div>{values === null ? <Status state="failed">{t('damaged')}</Status> : <Last row={row} />}</div>
    </>
  )
}

/** Nobody says of a datagram that it arrived. */
const isConfirmed = ({ values }: Target) => values?.service !== 'snmp' && values?.protocol !== 'udp'

function Last({ row }: { row: Target }) {
  const t = useTranslations('alerts.targets')
  const reason = useReason()
  const { last, values } = row
  if (values?.enabled === false) return <Status state="offline">{t('off')}</Status>
  if (!last) return <span className="muted">{t('never')}</span>
  if (last.error === '')
    return (
      <Status state="confirmed" age={<Age at={last.at} />}>
        {t(isConfirmed(row) ? 'arrived' : 'sent')}
      </Status>
    )
  return (
    <>
      <Status state="failed" age={<Age at={last.at} />}>
        {t('failed')}
      </Status>
      <div className="soft">
        {reason(last)}{' '}
        {last.state === 'waiting' && (
          <>
            {t('retry')} <Moment at={last.nextAt} seconds />
          </>
        )}
      </div>
    </>
  )
}
