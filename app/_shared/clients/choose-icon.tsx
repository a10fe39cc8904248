import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { SelectField } from '@/app/_ui/select-field'
import { SkeletonLines } from '@/app/_ui/states'
import type { LikelyKind } from '@/model/found-host'
import { type Client, shownName } from './client'

const automatic = 'automatic'
type Props = { clients: readonly Client[]; onClose: (changed: boolean) => void }

/** What a person says that one client is, or many are. */
export function IconDialog({ clients, onClose }: Props) {
  const t = useTranslations('clients.icon')
  const kinds = useTranslations('clients.kinds')
  const { data } = useNetworkCall('clients/icons/list', {})
  const [first] = clients
  const [icon, setIcon] = useState<string>((clients.length === 1 && first?.icon) || automatic)
  const chosen = icon === automatic ? '' : (icon as LikelyKind)
  const count = clients.length
  const options = [automatic, ...(data?.result ?? []).map(one => one.icon)].map(value => ({
    value,
    label: value === automatic ? t('automatic') : kinds(value as LikelyKind),
  }))
  const fields = data ? (
    <SelectField label={t('label')} help={t('help')} value={icon} options={options} onChange={setIcon} />
  ) : (
    <SkeletonLines lines={2} />
  )
  const common = { onClose, done: t('done'), action: t('save'), disabled: !data }
  if (count === 1 && first)
    return (
      <ActDialog
        {...common}
        call="clients/icons/save"
        input={withNetwork({ mac: first.mac, icon: chosen })}
        title={t('title', { name: shownName(first) })}
      >
        {fields}
      </ActDialog>
    )
  return (
    <ActDialog
      {...common}
      call="clients/icons/batch-save"
      input={withNetwork({ macs: clients.map(one => one.mac), icon: chosen })}
      title={t('titleMany', { count })}
    >
      {fields}
    </ActDialog>
  )
}

/** Whether there is an alert each time a client comes or goes. */
export function WatchDialog({ client, on, onClose }: { client: Client; on: boolean; onClose: Props['onClose'] }) {
  const t = useTranslations('clients.watch')
  const name = shownName(client)
  return (
    <ActDialog
      call="clients/subscribe"
      input={withNetwork({ macs: [client.mac], on })}
      onClose={onClose}
      done={t(on ? 'done' : 'offDone', { name })}
      title={t(on ? 'title' : 'offTitle', { name })}
      help={on ? t('help') : undefined}
      consequences={on ? [t('after')] : []}
      action={t(on ? 'save' : 'offSave')}
    />
  )
}
