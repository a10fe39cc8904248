'use client'
import { useTranslations } from 'next-intl'
import { type CallOutput, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import type { DeviceInfo } from './device-info'
import { type Chosen, chosenKey, type Item, useOptionName } from './import-words'

type Imported = CallOutput<'import/add'>
type Props = { info: DeviceInfo; items: readonly Item[]; chosen: Chosen; onClose: (done: Imported | undefined) => void }

/** What will be decided by which settings from now on, and that nothing changes on the device. */
export function ImportDialog({ info, items, chosen, onClose }: Props) {
  const t = useTranslations('import.add')
  const name = useOptionName()
  const picked = items.flatMap(item => {
    const options = item.options.filter(one => chosen.has(chosenKey(item, one)))
    return options.length ? [{ item, options }] : []
  })
  // Packages of uci are written as they were understood.
  const dropsComments = picked.some(({ item }) => item.id.startsWith('uci:'))
  let imported: Imported | undefined
  const take = async () => {
    const wanted = picked.map(({ item, options }) => ({ id: item.id, options: options.map(one => one.option) }))
    imported = await callApi('import/add', withNetwork({ deviceId: info.id, items: wanted }))
  }
  return (
    <ConfirmDialog
      open
      onClose={done => onClose(done ? imported : undefined)}
      title={t('title', { count: chosen.size, name: info.name })}
      action={t('action')}
      onConfirm={take}
      help={t('nothing')}
      consequences={[t('later'), t('back'), ...(dropsComments ? [t('comments')] : [])]}
    >
      {errors => (
        <ul className="on-device-picked">
          {picked.map(({ item, options }, at) => (
            <li key={item.id}>
              <b className="medium">
                <bdi>{item.label}</bdi>
              </b>
              <span className="muted block">{options.map(name).join(' · ')}</span>
              {Object.entries(errors)
                .filter(([key]) => key.startsWith(`items.${at}.`))
                .map(([key, text]) => (
                  <Note key={key} tone="bad" alert>
                    {text}
                  </Note>
                ))}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}
