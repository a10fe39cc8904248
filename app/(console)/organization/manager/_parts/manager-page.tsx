'use client'
import { useTranslations } from 'next-intl'
import { Tabs, useTab } from '@/app/_ui/tabs'
import { BackupsPage } from './backups-page'
import { MailPage } from './mail-page'
import { SecurityPage } from './security-page'

const pages = { backups: BackupsPage, mail: MailPage, security: SecurityPage }
export type ManagerTab = keyof typeof pages

/** The manager itself, by tabs: those that this person may open, the first of which is always there. */
export function ManagerPage({ tabs }: { tabs: readonly [ManagerTab, ...ManagerTab[]] }) {
  const t = useTranslations('manager')
  const active = useTab(tabs)
  const Page = pages[active]
  return (
    <Page>
      {tabs.length > 1 && (
        <Tabs label={t('tabs.label')} active={active} tabs={tabs.map(id => ({ id, label: t(`tabs.${id}`) }))} />
      )}
    </Page>
  )
}
