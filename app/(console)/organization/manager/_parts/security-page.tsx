'use client'
import { useTranslations } from 'next-intl'
import { useCall } from '@/app/_api/use-call'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { RulesOfOthers, SecurityRules } from './security-rules'
import type { TabProps } from './tab-props'
import { Whitelist } from './whitelist'

/** What holds for everybody who signs in here; super administrators' alone. `children`: the tabs beside it. */
export function SecurityPage({ specs, children }: TabProps) {
  const tabs = useTranslations('manager.tabs')
  const call = useCall('account/security/get', {}, { keep: false })
  return (
    <>
      <PageHead title={tabs(children ? 'label' : 'security')} />
      {children}
      <div className="stack">
        <Loaded call={call}>
          {rules =>
            rules.mayChange ? <SecurityRules rules={rules} spec={specs.security} /> : <RulesOfOthers rules={rules} />
          }
        </Loaded>
        <Whitelist />
      </div>
    </>
  )
}
