'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useClock } from '@/app/_ui/clock'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'

type Syslog = CallOutput<'changelog/syslog/get'>
const protocols = ['off', 'udp', 'tcp'] as const

/** Where the changelog is written down as it grows. */
export function SyslogDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('changelog.syslog')
  const call = useCall('changelog/syslog/get', {}, { keep: false })
  if (call.data) return <SyslogForm stored={call.data} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={t('title')}>
      <Loaded call={call}>{() => null}</Loaded>
    </Dialog>
  )
}

function SyslogForm({ stored, onClose }: { stored: Syslog; onClose: () => void }) {
  const t = useTranslations('changelog.syslog')
  const refresh = useRefresh()
  const [begin] = useState(stored)
  const [protocol, setProtocol] = useState(begin.protocol)
  const [host, setHost] = useState(begin.host)
  const [port, setPort] = useState(String(begin.port))
  const save = async () => {
    await callApi('changelog/syslog/save', { protocol, host, port: Number(port) })
    toast('ok', t('saved'))
    await refresh('changelog/syslog/get', 'changelog/list')
  }
  return (
    <ConfirmDialog open onClose={onClose} title={t('title')} help={t('help')} action={t('save')} onConfirm={save}>
      {errors => (
        <>
          <LastDelivery last={begin.last} />
          <SelectField
            label={t('protocol')}
            value={protocol}
            onChange={value => setProtocol(value as Syslog['protocol'])}
            options={protocols.map(value => ({ value, label: t(`protocols.${value}`) }))}
          />
          {protocol !== 'off' && (
            <>
              <TextField label={t('host')} help={t('hostHelp')} value={host} onChange={setHost} error={errors.host} />
              <TextField label={t('port')} inputMode="numeric" value={port} onChange={setPort} error={errors.port} />
            </>
          )}
        </>
      )}
    </ConfirmDialog>
  )
}

function LastDelivery({ last }: Pick<Syslog, 'last'>) {
  const t = useTranslations('changelog.syslog')
  const clock = useClock()
  if (!last) return null
  const at = clock.dateTime(last.at, true)
  return (
    <Note tone={last.ok ? 'ok' : 'bad'}>
      {last.ok ? t('lastFine', { at }) : t('lastFailed', { at, error: last.error })}
    </Note>
  )
}
