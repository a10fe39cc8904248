'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { ListAdd } from '@/app/_ui/combo-field'
import type { KindId } from '@/model/registry'
import { frameOf, type InputProps } from './input-frame'
import { useQuickAdd } from './quick-add'

/** Below the choices of a reference: makes what it could point at in a panel above, and chooses it. */
export function useAdd(
  props: InputProps,
  kind: KindId | undefined,
  count: number,
  choose: (id: string) => void,
): { add?: ListAdd; panel?: ReactNode } {
  const quick = useQuickAdd(kind)
  const words = useTranslations()
  const [open, setOpen] = useState(false)
  if (!quick) return {}
  const { spec, Panel } = quick
  const word = (key: string, values?: { max: number }) =>
    words(`${spec.area}.${spec.id}.${key}` as 'wifi.ssid.add', values as never)
  const close = (made?: string) => {
    setOpen(false)
    if (made !== undefined) choose(made)
  }
  const add: ListAdd =
    count < spec.max ? { label: word('add'), onAdd: () => setOpen(true) } : { full: word('full', { max: spec.max }) }
  return { add, panel: open && <Panel spec={spec} field={frameOf(props).id} onClose={close} /> }
}
