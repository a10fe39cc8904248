'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError, type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { ComboField, MultiSelect } from '@/app/_ui/combo-field'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { Status } from '@/app/_ui/status'
import type { Network } from './rows'

type Result = CallOutput<'networks/global-ssid'>['results'][number]
type Props = { network: Network; onClose: () => void }

/** Copies a Wi-Fi network into other networks of one's own, and says what became of it in each. */
export function GlobalSsidDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.globalSsid')
  const [id, setId] = useState('')
  const [to, setTo] = useState<string[]>([])
  const [results, setResults] = useState<Result[]>()
  const ssids = useCall('settings/ssid/list', { networkId: network.id, pageSize: 200 })
  const networks = useCall('networks/options', {})
  const title = t('title', { name: network.networkName })
  const copy = async () => {
    const input = { networkId: network.id, id, networkIds: to.map(Number) }
    setResults((await callApi('networks/global-ssid', input)).results)
    return 'stay'
  }
  if (results) return <Results title={title} results={results} onClose={onClose} />
  const others = (networks.data?.result ?? []).filter(one => one.access === 'own' && one.value !== network.id)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      help={t('help')}
      consequences={[t('later'), t('keys')]}
      action={t('confirm')}
      disabled={id === '' || to.length === 0}
      onConfirm={copy}
    >
      {errors => (
        <>
          <ComboField
            label={t('ssid')}
            error={errors.id}
            value={id}
            options={(ssids.data?.result ?? []).map(one => ({ value: one.id, label: String(one.name) }))}
            onChange={setId}
          />
          <MultiSelect
            label={t('networks')}
            error={errors.networkIds}
            value={to}
            options={others.map(one => ({ value: String(one.value), label: one.label }))}
            onChange={setTo}
          />
        </>
      )}
    </ConfirmDialog>
  )
}

const looks = { added: 'confirmed', changed: 'confirmed', refused: 'failed' } as const

function Results({ title, results, onClose }: { title: string; results: Result[]; onClose: () => void }) {
  const t = useTranslations('networks.globalSsid')
  return (
    <Dialog open onClose={onClose} title={title} footer={<Button onClick={onClose}>{t('close')}</Button>}>
      <ul className="plain-words">
        {results.map(({ networkId, networkName, state, refusal }) => (
          <li key={networkId}>
            <span className="row">
              <span className="grow truncated">{networkName}</span>
              <Status state={looks[state]}>{t(`states.${state}`)}</Status>
            </span>
            {refusal && <Why {...refusal} />}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** What a field of it was refused for there, else what the network says as a whole. */
function Why({ retCode, data }: NonNullable<Result['refusal']>) {
  const text = useFailureText()
  const errorsOf = useFieldErrors()
  const error = new ApiError('refused', 'networks/global-ssid', retCode, data)
  const fields = Object.values(errorsOf(error))
  return <span className="fine-print muted">{fields.length > 0 ? fields.join(' ') : text(error)}</span>
}
