'use client'
import { useTranslations } from 'next-intl'
import { DropdownField, ShownChoice } from './dropdown-field'
import type { FieldFrame } from './field'
import { everyNode, type TreeNode } from './tree'
import { TreeList } from './tree-list'

type Props = FieldFrame & {
  tree: readonly TreeNode[]
  value: string
  disabled?: boolean
  onChange: (value: string) => void
}

/** Device groups: a searchable tree in a dropdown. */
export function GroupTree({ tree, value, onChange, ...frame }: Props) {
  const t = useTranslations('common.field')
  const name = everyNode(tree).find(node => String(node.id) === value)?.name
  return (
    <DropdownField {...frame} shown={<ShownChoice name={name} empty={t('choose')} />}>
      {({ label, close }) => (
        <TreeList
          label={label}
          tree={tree}
          chosen={value}
          onChoose={next => {
            onChange(next)
            close()
          }}
        />
      )}
    </DropdownField>
  )
}
