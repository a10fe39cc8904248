'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Moment } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { Badge } from '@/app/_ui/status'
import { MaintenanceForm, useWeekdays, type Window } from './maintenance-form'
import { RowsCard } from './rows-card'

/** Times in which nobody is told of alerts: those that come, and those that were. */
export function MaintenanceCard() {
  const t = useTranslations('alerts.maintenance')
  const call = useNetworkCall('alerts/maintenance/list', {}, { live: true })
  return (
    <RowsCard
      t={t}
      icon="clock"
      call={call}
      may={useMay('alerts_edit')}
      nameOf={row => row.values.name}
      form={({ timezone }, row, close) => <MaintenanceForm row={row} timezone={timezone} onClose={close} />}
      deletion={({ id, values: { name } }, close) => (
        <ActDialog
          call="alerts/maintenance/delete"
          input={withNetwork({ id })}
          done={t('deleted', { name })}
          danger
          onClose={close}
          title={t('deleteTitle', { name })}
          consequences={[t('deleteWhat')]}
          action={t('delete')}
        />
      )}
    >
      {row => <WindowLines row={row} />}
    </RowsCard>
  )
}

function WindowLines({ row }: { row: Window }) {
  const t = useTranslations('alerts.maintenance')
  const { values, devices, on } = row
  return (
    <>
      <b>{values.name}</b> {on && <Badge state="note">{t('on')}</Badge>}
      <div className="soft">
        <When row={row} />
      </div>
      <div className="soft">{devices ? devices.map(one => one.name).join(', ') : t('whole')}</div>
    </>
  )
}

function When({ row: { values, span } }: { row: Window }) {
  const t = useTranslations('alerts.maintenance')
  const days = useWeekdays()
  const { repeat, weekday = 0, time } = values
  if (!span) return t('past')
  return (
    <>
      {repeat === 'weekly' && `${t('each', { day: days[weekday] ?? '', time })} · `}
      <Moment at={span.from} /> – <Moment at={span.until} />
    </>
  )
}

/** Says above the list of alerts that nobody is told of some of them now, and until when. */
export function MaintenanceNote() {
  const t = useTranslations('alerts.maintenance')
  const { data } = useNetworkCall('alerts/maintenance/list', {}, { live: true })
  const now = (data?.result ?? []).filter(({ on }) => on)
  if (now.length === 0) return null
  return (
    <div className="notes">
      {now.map(({ id, values, span }) => (
        <Note key={id} tone="info" title={t('nowOn', { name: values.name })}>
          {t('nowOnWhat')} {span && <Moment at={span.until} />}
        </Note>
      ))}
    </div>
  )
}
