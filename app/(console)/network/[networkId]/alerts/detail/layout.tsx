import type { ReactNode } from 'react'
import { Words } from '@/app/(console)/_words'

/** What was changed before an alert is told in the words of the changelog. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <Words areas={['alerts', 'alertTypes', 'form', 'reasons', 'changelog']} kinds why>
      {children}
    </Words>
  )
}
