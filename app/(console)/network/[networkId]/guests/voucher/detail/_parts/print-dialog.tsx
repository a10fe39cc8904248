'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { DownloadButton } from '@/app/_ui/download-button'
import { Progress as Bar } from '@/app/_ui/meters'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import {
  type PerPage,
  type PrintFormat,
  perPage,
  printFormats,
  type QrChoice,
  qrChoices,
} from '@/model/guests/voucher-print'
import type { Group } from '../../_parts/rows'

type Printing = CallInput<'vouchers/groups/print'>
type Values = { template: string; format: PrintFormat; perPage: string; ssid: string; qr: QrChoice }
const noWifi = 'none'
/** Chosen here, word for word. */
const word = 'none'
const everyTemplate = { page: 1, pageSize: 100 }
const pollMs = 700

type Props = { group: Pick<Group, 'id'>; ids: readonly number[] | undefined; count: number; onClose: () => void }

/** Asks for the paper, then tells how far the PDF is, and gives it. */
export function PrintDialog({ group, ids, count, onClose }: Props) {
  const [jobId, setJobId] = useState<string>()
  return jobId === undefined ? (
    <Ask {...{ group, ids, count, onClose }} onStarted={setJobId} />
  ) : (
    <Progress jobId={jobId} onClose={onClose} />
  )
}

function Ask({ group, ids, count, onClose, onStarted }: Props & { onStarted: (jobId: string) => void }) {
  const t = useTranslations('vouchers.print')
  const { data } = useNetworkCall('vouchers/settings', {})
  const { values, put, field } = useFields<Values>({
    template: word,
    format: 'a4',
    perPage: '18',
    ssid: noWifi,
    qr: 'voucher',
  })
  const templates = useNetworkCall('vouchers/templates/list', everyTemplate).data?.result ?? []
  const templated = values.template !== word
  const start = async () => {
    const { ssid, format, qr } = values
    const look = { format, qr, perPage: Number(values.perPage) as PerPage, ...(ssid !== noWifi && { ssid }) }
    const asked: Printing = {
      ...{ groupId: group.id, ...(templated ? { templateId: Number(values.template) } : look) },
      ...(ids && { ids: [...ids] }),
    }
    const { jobId } = await callApi('vouchers/groups/print', withNetwork(asked))
    onStarted(jobId)
    return 'stay'
  }
  const networks = (data?.ssids ?? []).map(one => ({ value: one.id, label: one.name }))
  return (
    <ConfirmDialog
      open
      title={t('title')}
      help={t('what', { count })}
      action={t('make')}
      onClose={onClose}
      onConfirm={start}
    >
      {errors => (
        <>
          {templates.length > 0 && (
            <SelectField
              label={t('template')}
              options={[
                { value: word, label: t('noTemplate') },
                ...templates.map(one => ({ value: String(one.id), label: one.name })),
              ]}
              {...field('template', templated ? { template: errors.ids ?? errors.ssid ?? errors.qr } : {})}
            />
          )}
          {!templated && <Look {...{ values, put, field, errors, networks }} />}
        </>
      )}
    </ConfirmDialog>
  )
}

type LookProps = Pick<ReturnType<typeof useFields<Values>>, 'values' | 'put' | 'field'> & {
  errors: Readonly<Record<string, string>>
  networks: { value: string; label: string }[]
}

/** Paper and what stands on it, where no template says so. */
function Look({ values, put, field, errors, networks }: LookProps) {
  const t = useTranslations('vouchers.print')
  return (
    <>
      <SelectField
        label={t('format')}
        options={printFormats.map(one => ({ value: one, label: t(`formats.${one}`) }))}
        {...field('format', { ...errors, format: errors.format ?? errors.ids })}
        onChange={format => put({ format: format as PrintFormat })}
      />
      {values.format === 'a4' && (
        <SelectField
          label={t('perPage')}
          options={perPage.map(one => ({ value: String(one), label: String(one) }))}
          {...field('perPage', errors)}
        />
      )}
      <SelectField
        label={t('wifi')}
        options={[{ value: noWifi, label: t('noWifi') }, ...networks]}
        {...field('ssid', errors)}
      />
      <SelectField
        label={t('qr')}
        options={qrChoices.map(one => ({ value: one, label: t(`qrs.${one}`) }))}
        {...field('qr', errors)}
        onChange={qr => put({ qr: qr as Values['qr'] })}
      />
    </>
  )
}

function Progress({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const t = useTranslations('vouchers.print')
  const { networkId } = useParams<{ networkId: string }>()
  const [ended, setEnded] = useState(false)
  const { data } = useNetworkCall(
    'vouchers/groups/print/result',
    { jobId },
    {
      ...(!ended && { refreshMs: pollMs }),
      swr: { onSuccess: ({ state }: { state: string }) => setEnded(state !== 'running') },
    },
  )
  const state = data?.state ?? 'running'
  return (
    <Dialog
      open
      title={t('title')}
      onClose={onClose}
      footer={
        state === 'done' && (
          <DownloadButton
            kind="primary"
            address={`/app/vouchers/groups/print/file?networkId=${networkId}&jobId=${jobId}`}
          >
            {t('save')}
          </DownloadButton>
        )
      }
    >
      {state === 'running' && (
        <div role="status" className="grid gap-3">
          <span>{t('progress', { done: data?.done ?? 0, total: data?.total ?? 0 })}</span>
          <Bar share={data?.total ? data.done / data.total : 0} label={t('title')} />
        </div>
      )}
      {state === 'done' && <Note tone="ok" title={t('ready')} />}
      {state === 'done' && data && data.missing.length > 0 && (
        <Note tone="warn" title={t('missing', { characters: data.missing.join(' ') })} />
      )}
      {(state === 'failed' || state === 'cancelled') && <Note tone="bad" title={t('failed')} />}
    </Dialog>
  )
}
