import type { ReactNode } from 'react'
import { Words } from '@/app/(console)/_words'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <Words areas={['logs', 'records', 'form']} leftOut>
      {children}
    </Words>
  )
}
