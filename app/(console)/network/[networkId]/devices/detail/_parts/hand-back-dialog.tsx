'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { DeviceInfo } from './device-info'
import { type Item, inLine, useOptionName } from './takeover-words'

type Props = { info: DeviceInfo; item: Item; onClose: (done: boolean) => void }

/** Ends the ownership: the former values, which the next push puts. */
export function HandBackDialog({ info, item, onClose }: Props) {
  const t = useTranslations('takeover')
  const name = useOptionName()
  const { label } = item
  const giveBack = async () => {
    await callApi('takeover/return', withNetwork({ deviceId: info.id, items: [item.id] }))
    toast('ok', t('return.done', { label }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('return.title', { label, name: info.name })}
      action={t('return.action')}
      onConfirm={giveBack}
      help={t('return.values')}
      consequences={[t('return.settings'), t('return.others')]}
    >
      <ul className="fx-picked">
        {item.options
          .filter(one => one.taken)
          .map(one => (
            <li key={one.option}>
              {name(one)} <span className="ip">{one.former === undefined ? t('page.notSet') : inLine(one.former)}</span>
            </li>
          ))}
      </ul>
    </ConfirmDialog>
  )
}
