'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { CheckLine } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { DeviceInfo } from './device-info'
import { type Item, inLine, useOptionName } from './import-words'

type Props = { info: DeviceInfo; item: Item; onClose: (done: boolean) => void }

/** Ends the ownership, of all of a thing or of some options: the former values, which the next push puts. */
export function ReleaseDialog({ info, item, onClose }: Props) {
  const t = useTranslations('import')
  const name = useOptionName()
  const { label } = item
  const imported = item.options.filter(one => one.imported && !one.releasing)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const given = imported.filter(one => !kept.has(one.option)).map(one => one.option)
  const put = (option: string, on: boolean) =>
    setKept(new Set(on ? [...kept].filter(one => one !== option) : [...kept, option]))
  const release = async () => {
    const whole = given.length === imported.length
    const items = [whole ? item.id : { id: item.id, options: given }]
    await callApi('import/release', withNetwork({ deviceId: info.id, items }))
    toast('ok', t('release.done', { label }))
  }
  const words = (one: (typeof imported)[number]) => (
    <>
      {name(one)} <span className="ip">{one.former === undefined ? t('page.notSet') : inLine(one.former)}</span>
    </>
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('release.title', { label, name: info.name })}
      action={t('release.action')}
      disabled={given.length === 0}
      onConfirm={release}
      help={t('release.values')}
      consequences={[t('release.settings'), t('release.others')]}
    >
      <ul className="on-device-picked">
        {imported.map(one => (
          <li key={one.option}>
            {imported.length === 1 ? (
              words(one)
            ) : (
              <CheckLine checked={!kept.has(one.option)} onChange={on => put(one.option, on)} aria-label={name(one)}>
                {words(one)}
              </CheckLine>
            )}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
