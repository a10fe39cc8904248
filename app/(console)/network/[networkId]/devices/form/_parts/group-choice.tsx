'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { GroupTree } from '@/app/_ui/combo-field'

const root = -1

/** Into which group devices come. */
export function useGroupChoice() {
  const [value, setValue] = useState(root)
  return { value, setValue }
}

/** Shown only where the network has groups. */
export function GroupChoice({ state: { value, setValue } }: { state: ReturnType<typeof useGroupChoice> }) {
  const t = useTranslations('devices.move')
  const tree = useNetworkCall('groups/tree', {})
  if (!tree.data?.result.length) return null
  return (
    <GroupTree
      label={t('group')}
      tree={[{ id: root, name: t('root'), children: [] }, ...tree.data.result]}
      value={String(value)}
      onChange={next => setValue(Number(next))}
    />
  )
}
