'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { SecurityRules } from './security-rules'
import { Whitelist } from './whitelist'

/** What holds for everybody who signs in here; the super administrator's alone. */
export function SecurityPage({ children }: { children?: ReactNode }) {
  const t = useTranslations('security')
  const words = useTranslations('backups')
  const call = useCall('account/security/get', {}, { keep: false })
  return (
    <>
      <PageHead title={words('title')} />
      {children}
      <div className="stack">
        <Card title={t('rules.title')} pad>
          <Loaded call={call}>{rules => <SecurityRules rules={rules} />}</Loaded>
        </Card>
        <Whitelist />
      </div>
    </>
  )
}
