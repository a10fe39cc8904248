'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { OwnForm } from '@/app/_form/own-form'
import { Card, KeyValues } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import type { OwnSpecs } from './tab-props'

type Rules = CallOutput<'account/security/get'>

/** The rules as another company's super administrator meets them: set by the manager's own. */
export function RulesOfOthers({ rules }: { rules: Rules }) {
  const t = useTranslations('security.rules')
  const words = useTranslations('security.security')
  const { sessionTimeout, passwordNoticeDays: days, forceMfa, withoutMfa } = rules
  return (
    <Card title={words('title')} pad>
      <div className="stack" style={{ maxInlineSize: 480 }}>
        <Note tone="info">{t('ofOthers')}</Note>
        <KeyValues
          rows={[
            [words('fields.sessionTimeout.label'), t('inMinutes', { count: sessionTimeout })],
            [words('fields.passwordNoticeDays.label'), t('inDays', { count: days })],
            [
              words('fields.forceMfa.label'),
              `${t(forceMfa ? 'forced' : 'notForced')} ${t('without', { count: withoutMfa })}`,
            ],
          ]}
        />
      </div>
    </Card>
  )
}

export function SecurityRules({ rules: { withoutMfa, mail }, spec }: { rules: Rules; spec: OwnSpecs['security'] }) {
  const t = useTranslations('security.rules')
  const help = useTranslations('security.security.fields')
  return (
    <OwnForm
      spec={spec}
      changes={['account/security/get', 'account/info', 'auth/mfa-info']}
      helps={{
        forceMfa: `${help('forceMfa.help')} ${t('without', { count: withoutMfa })}`,
        ...(!mail && { signUp: `${help('signUp.help')} ${t('signUpMail')}` }),
      }}
    />
  )
}
