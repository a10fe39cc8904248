import type { ReactNode } from 'react'
import type { Area } from '@/app/_i18n/pick'
import { Words } from '@/app/(console)/_words'
import { anyKindIds, loadKind } from '@/model/registry'

/** Entries are told in the words of the settings they are about, whichever these are. */
export default async function Layout({ children }: { children: ReactNode }) {
  const kinds = await Promise.all(anyKindIds.map(loadKind))
  const areas = [...new Set(kinds.map(kind => kind.area as Area))]
  return (
    <Words areas={['changelog', 'form', ...areas]} kinds fields>
      {children}
    </Words>
  )
}
