'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { GroupTree } from '@/app/_ui/group-tree'

type GroupNode = CallOutput<'groups/tree'>['result'][number]
const root = -1

/** Into which group devices come; `input`: what a call is told, nothing where the network's default group is meant. */
export function useGroupChoice() {
  const [value, setValue] = useState<number>()
  return { value, setValue, input: value === undefined ? {} : { groupId: value } }
}

const defaultOf = (nodes: readonly GroupNode[]): GroupNode | undefined =>
  nodes.map(node => (node.isDefault ? node : defaultOf(node.children))).find(one => one !== undefined)

/** Shown only where the network has groups. */
export function GroupChoice({ state: { value, setValue } }: { state: ReturnType<typeof useGroupChoice> }) {
  const t = useTranslations('devices.move')
  const tree = useNetworkCall('groups/tree', {})
  if (!tree.data?.result.length) return null
  return (
    <GroupTree
      label={t('group')}
      tree={[{ id: root, name: t('root'), children: [] }, ...tree.data.result]}
      value={String(value ?? defaultOf(tree.data.result)?.id ?? root)}
      onChange={next => setValue(Number(next))}
    />
  )
}
