'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { RulesOfOthers, SecurityRules } from './security-rules'
import { Whitelist } from './whitelist'

/** What holds for everybody who signs in here; super administrators' alone. `children`: the tabs beside it. */
export function SecurityPage({ children }: { children?: ReactNode }) {
  const t = useTranslations('security')
  const tabs = useTranslations('manager.tabs')
  const call = useCall('account/security/get', {}, { keep: false })
  return (
    <>
      <PageHead title={tabs(children ? 'label' : 'security')} />
      {children}
      <div className="stack">
        <Card title={t('rules.title')} pad>
          <Loaded call={call}>
            {rules => (rules.mayChange ? <SecurityRules rules={rules} /> : <RulesOfOthers rules={rules} />)}
          </Loaded>
        </Card>
        <Whitelist />
      </div>
    </>
  )
}
