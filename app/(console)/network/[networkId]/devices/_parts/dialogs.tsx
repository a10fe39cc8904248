'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useCall, useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { ComboField } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { GroupTree } from '@/app/_ui/group-tree'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'

type Named = { id: number; name: string }
export type Doing = { what: 'reboot' | 'move' | 'moveNetwork' | 'forget'; devices: readonly Named[] }
type Props = { doing: Doing; onClose: (done: boolean) => void }

const root = -1

/** Words that name one device, or count several. */
const wordsOf = (devices: readonly Named[]) => ({ count: devices.length, name: devices[0]?.name ?? '' })

/** Asks before one of the actions that lists and details share, with what follows from it. */
export function DeviceDialog({ doing, onClose }: Props) {
  if (doing.what === 'move') return <MoveDialog devices={doing.devices} onClose={onClose} />
  if (doing.what === 'moveNetwork') return <MoveNetworkDialog devices={doing.devices} onClose={onClose} />
  if (doing.what === 'forget') return <ForgetDialog devices={doing.devices} onClose={onClose} />
  return <RebootDialog devices={doing.devices} onClose={onClose} />
}

type Each = { devices: readonly Named[]; onClose: (done: boolean) => void }

function RebootDialog({ devices, onClose }: Each) {
  const t = useTranslations('devices.reboot')
  const reason = useReason()
  const words = wordsOf(devices)
  const reboot = async () => {
    const { results } = await callApi('devices/reboot', withNetwork({ ids: devices.map(device => device.id) }))
    const done = results.filter(one => one.ok)
    for (const one of results) if (!one.ok) toast('bad', t('failed', { name: one.name, why: reason(one.reason).title }))
    if (done.length === 0) return 'stay'
    toast('ok', t('started', wordsOf(done)))
    return 'done'
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', words)}
      consequences={[t('cuts', words), t('wait')]}
      action={t('confirm', words)}
      onConfirm={reboot}
    />
  )
}

function MoveDialog({ devices, onClose }: Each) {
  const t = useTranslations('devices.move')
  const tree = useNetworkCall('groups/tree', {})
  const [group, setGroup] = useState(String(root))
  const [groupName, setGroupName] = useState<string>()
  const move = async () => {
    const made = groupName === undefined ? undefined : await callApi('groups/add', withNetwork({ groupName }))
    const { moved } = await callApi(
      'groups/transfer',
      withNetwork({ deviceIds: devices.map(device => device.id), groupId: made?.groupId ?? Number(group) }),
    )
    toast('ok', t('done', { count: moved }))
  }
  return (
    <ConfirmDialog open onClose={onClose} title={t('title', wordsOf(devices))} action={t('confirm')} onConfirm={move}>
      {errors =>
        groupName === undefined ? (
          <>
            <GroupTree
              label={t('group')}
              help={t('help')}
              tree={[{ id: root, name: t('root'), children: [] }, ...(tree.data?.result ?? [])]}
              value={group}
              onChange={setGroup}
            />
            <Button icon="plus" onClick={() => setGroupName('')}>
              {t('newGroup')}
            </Button>
          </>
        ) : (
          <TextField
            label={t('newGroup')}
            help={t('help')}
            value={groupName}
            error={errors.groupName}
            maxLength={limits.groupNameCharacters}
            onChange={setGroupName}
          />
        )
      }
    </ConfirmDialog>
  )
}

/** To another network of the organization: settings there are others, logins go along. */
function MoveNetworkDialog({ devices, onClose }: Each) {
  const t = useTranslations('devices.moveNetwork')
  const { networkId } = useParams<{ networkId: string }>()
  const networks = useCall('networks/options', {})
  const [to, setTo] = useState('')
  const options = (networks.data?.result ?? [])
    .filter(one => one.access === 'own' && one.value !== Number(networkId))
    .map(one => ({ value: String(one.value), label: one.label }))
  const name = options.find(one => one.value === to)?.label ?? ''
  return (
    <ActDialog
      call="devices/move"
      input={withNetwork({ ids: devices.map(device => device.id), toNetworkId: Number(to) })}
      done={t('done', { count: devices.length, network: name })}
      onClose={onClose}
      title={t('title', wordsOf(devices))}
      consequences={[t('settings'), t('logins')]}
      disabled={to === ''}
      action={t('confirm')}
    >
      {errors => <ComboField label={t('network')} value={to} error={errors.ids} options={options} onChange={setTo} />}
    </ActDialog>
  )
}

function ForgetDialog({ devices, onClose }: Each) {
  const t = useTranslations('devices.forget')
  const words = wordsOf(devices)
  return (
    <ActDialog
      call="devices/delete"
      input={withNetwork({ ids: devices.map(device => device.id) })}
      done={t('done', words)}
      danger
      onClose={onClose}
      title={t('title', words)}
      consequences={[t('keeps', words), t('loses')]}
      action={t('confirm', words)}
    />
  )
}
