'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/app/_ui/button'
import { SearchList } from '@/app/_ui/listbox'
import { Popover } from '@/app/_ui/menu'
import { nodeName, type WiringNode } from './wiring'

const also = (node: WiringNode): string => {
  if (node.kind === 'device') return node.shown.model
  return node.kind === 'unmanaged' ? node.macs.join(' ') : [node.mac, node.address, node.description].join(' ')
}

/** A button that opens a list of all nodes with a search; the one that is chosen is shown in the drawing. */
export function FindNode({ nodes, onFind }: { nodes: readonly WiringNode[]; onFind: (id: string) => void }) {
  const t = useTranslations('topology')
  const [open, setOpen] = useState(false)
  const options = nodes
    .map(node => ({ value: node.id, label: nodeName(node) ?? t('unmanaged.name'), also: also(node) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const choose = (id: string) => {
    setOpen(false)
    onFind(id)
  }
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      className="list"
      label={t('find')}
      trigger={<Button icon="search">{t('find')}</Button>}
    >
      <SearchList label={t('find')} options={options} chosen={[]} onChoose={choose} />
    </Popover>
  )
}
