'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { OwnForm } from '@/app/_form/own-form'
import { PageHead } from '@/app/_ui/page-head'
import type { TabProps } from './tab-props'

/** What the manager is called, and where it stands. */
export function GeneralPage({ specs, children }: TabProps) {
  const router = useRouter()
  return (
    <>
      <PageHead title={useTranslations('backups')('title')} />
      {children}
      {/* The shell shows the name, and dates by the time zone: the server draws it. */}
      <OwnForm spec={specs.general} changes={['init-info', 'backups/list']} onSaved={() => router.refresh()} />
    </>
  )
}
