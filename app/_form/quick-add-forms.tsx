'use client'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { ListKindId } from '@/model/registry'
import { QuickAddProvider } from './quick-add'
import type { FormSpec } from './spec'

const QuickAddPanel = dynamic(async () => (await import('./quick-add-panel')).QuickAddPanel, { ssr: false })

/** Around a form: what its fields refer to can be made in a panel above it. `specs`: the kinds that may be made. */
export function QuickAdd({ specs, children }: { specs: readonly FormSpec<ListKindId>[]; children: ReactNode }) {
  return (
    <QuickAddProvider specs={Object.fromEntries(specs.map(spec => [spec.id, spec]))} Panel={QuickAddPanel}>
      {children}
    </QuickAddProvider>
  )
}
