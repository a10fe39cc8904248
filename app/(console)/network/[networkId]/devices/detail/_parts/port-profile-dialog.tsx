'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSaved } from '@/app/_shared/left-out'
import { ComboField } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'
import type { Data } from '@/model/kind'
import { kinds } from '@/model/registry'
import type { DeviceInfo } from './device-info'
import type { PortRow } from './rows'

const none = 'none'
const fresh = 'new'

type Props = { info: DeviceInfo; ports: readonly PortRow[]; onClose: (done: boolean) => void }

/** Gives ports to another profile, to a new one of their own, or to none. */
export function PortProfileDialog({ info, ports, onClose }: Props) {
  const t = useTranslations('devices.detail.ports')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const tellSaved = useSaved()
  const labels = ports.map(one => one.label).join(', ')
  const now = [...new Set(ports.map(one => one.profiles[0]?.id ?? none))]
  const [chosen, setChosen] = useState(now.length === 1 ? (now[0] ?? none) : '')
  const [name, setName] = useState(`${info.name} ${labels}`.slice(0, 64))
  const profiles = useNetworkCall('settings/portProfile/options', {})
  const options = [
    { value: none, label: t('none') },
    ...(profiles.data?.result ?? []).map(one => ({ value: one.id, label: one.name })),
    { value: fresh, label: t('new') },
  ]
  const create = async () => {
    const input: Data = { name, ports: [], assign: { all: false, groups: [], devices: [] } }
    return (await callApi('settings/portProfile/save', withNetwork(input))).id
  }
  const save = async () => {
    const profile = chosen === none ? null : chosen === fresh ? await create() : chosen
    const names = ports.map(one => one.name)
    await callApi('devices/switch/port-save', withNetwork({ deviceId: info.id, ports: names, profile }))
    if (profile === null) toast('ok', t('changed'))
    else void tellSaved({ kind: 'portProfile', id: profile }, 'saved', t('changed'))
    if (chosen === fresh) router.push(`/network/${networkId}/${kinds.portProfile.form}?id=${profile}`)
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('changeTitle', { count: ports.length, ports: labels })}
      help={t('changeHelp')}
      action={chosen === fresh ? t('create') : t('save')}
      disabled={chosen === ''}
      onConfirm={save}
    >
      {errors => (
        <>
          <ComboField
            label={t('profile')}
            value={chosen}
            options={options}
            onChange={setChosen}
            {...(errors.profile && { error: errors.profile })}
          />
          {chosen === fresh && (
            <TextField
              label={t('newName')}
              help={t('newHelp')}
              value={name}
              maxLength={64}
              onChange={setName}
              {...(errors.name && { error: errors.name })}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
