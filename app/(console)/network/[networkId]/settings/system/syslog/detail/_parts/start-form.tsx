'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useTargets } from '@/app/_shared/device-choice'
import { SwitchField } from '@/app/_ui/check'
import { ComboField } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { NumberField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import { type Severity, severities } from './rows'

type Values = { whole: boolean; device: string; severity: string; minutes: number | undefined }
const { minutes } = limits.syslogCapture

/** Asks of which device, how grave and how long, and starts a capture. */
export function StartForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('logs.captures')
  const severity = useTranslations('logs.severities')
  const { values, put, field } = useFields<Values>({
    ...{ whole: true, device: '', severity: '7', minutes: minutes.default },
  })
  const device = values.device === '' ? undefined : Number(values.device)
  const targets = useTargets(device === undefined ? [] : [device])
  const start = async () => {
    await callApi(
      'syslog/start',
      withNetwork({
        deviceId: values.whole ? null : (device ?? null),
        severity: Number(values.severity),
        minutes: values.minutes ?? 0,
      }),
    )
    toast('ok', t('started'))
  }
  return (
    <ConfirmDialog
      open
      title={t('startTitle')}
      help={t('startHelp')}
      action={t('start')}
      disabled={!values.whole && device === undefined}
      onClose={onClose}
      onConfirm={start}
    >
      {errors => (
        <>
          <SwitchField label={t('whole')} checked={values.whole} onChange={whole => put({ whole })} />
          {!values.whole && (
            <ComboField label={t('columns.device')} {...targets.devices} {...field('device')} error={errors.deviceId} />
          )}
          {!values.whole && device !== undefined && <Where deviceId={device} />}
          <SelectField
            label={t('columns.severity')}
            help={t('severityHelp')}
            options={severities.map(value => ({ value, label: severity(value as Severity) }))}
            {...field('severity', errors)}
          />
          <NumberField label={t('minutes')} help={t('minutesHelp')} {...field('minutes', errors)} />
        </>
      )}
    </ConfirmDialog>
  )
}

/** Where the device has to send to, for lines to come. */
function Where({ deviceId }: { deviceId: number }) {
  const t = useTranslations('logs.captures')
  const { data } = useNetworkCall('logs/target', { deviceId, capturing: true }, { keep: false })
  if (!data) return null
  return data.target ? (
    <Note tone="info">{t('where', { host: data.target.host, port: String(data.target.port) })}</Note>
  ) : null
}
