'use client'
import { useTranslations } from 'next-intl'
import { Tabs, useTab } from '@/app/_ui/tabs'
import { BackupsPage } from './backups-page'
import { GeneralPage } from './general-page'
import { MailPage } from './mail-page'
import { SecurityPage } from './security-page'
import type { OwnSpecs } from './tab-props'

const pages = { backups: BackupsPage, general: GeneralPage, mail: MailPage, security: SecurityPage }
export type ManagerTab = keyof typeof pages

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
