'use client'
import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { ListKindId } from '@/model/registry'
import type { FormSpec } from './spec'

export type QuickAddPanelProps = {
  spec: FormSpec<ListKindId>
  /** Id of the field that it was opened from: there the focus goes back to. */
  field: string
  /** `made`: the id of what was saved; none where it was closed without. */
  onClose: (made?: string) => void
}
/** Forms of the kinds that the person who looks may create, by kind, and what draws one above the form. */
type QuickAdd = {
  specs: Readonly<Partial<Record<string, FormSpec<ListKindId>>>>
  Panel: ComponentType<QuickAddPanelProps>
}

const Context = createContext<QuickAdd | undefined>(undefined)
/** The kinds whose panel is open around this part: none is made inside of itself. */
const Open = createContext<readonly string[]>([])

export const QuickAddProvider = ({ children, ...value }: QuickAdd & { children: ReactNode }) => (
  <Context value={value}>{children}</Context>
)

/** Around what a panel draws. */
export function InPanel({ kind, children }: { kind: string; children: ReactNode }) {
  return <Open value={[...useContext(Open), kind]}>{children}</Open>
}

/** How deep this part lies in panels; 0 on the page itself. */
export const useDepth = (): number => useContext(Open).length

/** What can be made of this kind from a field that refers to it; undefined where it cannot. */
export function useQuickAdd(kind: string | undefined) {
  const offered = useContext(Context)
  const open = useContext(Open)
  const spec = kind === undefined || open.includes(kind) ? undefined : offered?.specs[kind]
  return spec && offered ? { spec, Panel: offered.Panel } : undefined
}
