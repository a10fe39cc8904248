'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { KindSpec } from '@/app/_form/spec'
import { Tabs, useTab } from '@/app/_ui/tabs'
import { BackupsPage } from './backups-page'
import { GeneralPage } from './general-page'
import { MailPage } from './mail-page'
import { SecurityPage } from './security-page'

const pages = { backups: BackupsPage, general: GeneralPage, mail: MailPage, security: SecurityPage }
export type ManagerTab = keyof typeof pages
/** The kinds of settings that stand on these pages, as their forms draw them. */
export type OwnSpecs = { readonly [K in 'general' | 'mailServer' | 'security' | 'backupSchedule']: KindSpec<K> }
export type TabProps = { specs: OwnSpecs; children?: ReactNode }

/** The manager itself, by tabs: those that this person may open, the first of which is always there. */
export function ManagerPage({ tabs, specs }: { tabs: readonly [ManagerTab, ...ManagerTab[]]; specs: OwnSpecs }) {
  const t = useTranslations('manager')
  const active = useTab(tabs)
  const Page = pages[active]
  return (
    <Page specs={specs}>
      {tabs.length > 1 && (
        <Tabs label={t('tabs.label')} active={active} tabs={tabs.map(id => ({ id, label: t(`tabs.${id}`) }))} />
      )}
    </Page>
  )
}
