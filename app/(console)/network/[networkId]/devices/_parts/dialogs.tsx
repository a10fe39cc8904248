'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { GroupTree } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'

type Named = { id: number; name: string }
export type Doing = { what: 'reboot' | 'move' | 'forget'; devices: readonly Named[] }
type Props = { doing: Doing; onClose: (done: boolean) => void }

const root = -1

/** Words that name one device, or count several. */
const wordsOf = (devices: readonly Named[]) => ({ count: devices.length, name: devices[0]?.name ?? '' })

/** Asks before one of the actions that lists and details share, with what follows from it. */
export function DeviceDialog({ doing, onClose }: Props) {
  if (doing.what === 'move') return <MoveDialog devices={doing.devices} onClose={onClose} />
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
  const move = async () => {
    const { moved } = await callApi(
      'groups/transfer',
      withNetwork({ deviceIds: devices.map(device => device.id), groupId: Number(group) }),
    )
    toast('ok', t('done', { count: moved }))
  }
  return (
    <ConfirmDialog open onClose={onClose} title={t('title', wordsOf(devices))} action={t('confirm')} onConfirm={move}>
      <GroupTree
        label={t('group')}
        help={t('help')}
        tree={[{ id: root, name: t('root'), children: [] }, ...(tree.data?.result ?? [])]}
        value={group}
        onChange={setGroup}
      />
    </ConfirmDialog>
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
