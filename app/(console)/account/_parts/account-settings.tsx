'use client'
import { useTranslations } from 'next-intl'
import { useCall } from '@/app/_api/use-call'
import { wordOr } from '@/app/_i18n/word'
import { Card, KeyValues } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { AccountForm } from './account-form'
import { BrowserCard } from './browser-card'
import { DeleteAccount } from './delete-account'
import { EmailChange } from './email-change'
import { MfaCard } from './mfa-card'
import { PasswordCard } from './password-card'
import { SessionsCard } from './sessions-card'

/** How the console looks and reads for this account. */
export function AccountSettings() {
  const t = useTranslations('account')
  const roles = useTranslations('roles.builtIn')
  const call = useCall('account/info', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} />
      <div className="stack">
        <Loaded call={call} lines={6}>
          {info => (
            <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
              <Card pad>
                <KeyValues
                  rows={[
                    [t('account'), info.account],
                    [t('role'), info.roleName || wordOr(roles, info.role)],
                    info.email !== '' && [t('email'), info.email],
                    [t('timeout'), t('minutes', { count: info.sessionTimeout })],
                  ]}
                />
                {info.source === 'local' && <EmailChange email={info.email} />}
              </Card>
              <AccountForm info={info} />
              <BrowserCard />
              {info.source !== 'local' && (
                <Note tone="info" title={t(`elsewhere.${info.source}`)}>
                  {t(`elsewhere.${info.source}Help`)}
                </Note>
              )}
              {info.source === 'local' && <PasswordCard />}
              {info.source !== 'saml' && <MfaCard />}
            </div>
          )}
        </Loaded>
        <SessionsCard />
        {call.data && call.data.source === 'local' && (
          <div style={{ maxInlineSize: 'var(--form-max)' }}>
            <DeleteAccount account={call.data.account} role={call.data.role} />
          </div>
        )}
      </div>
    </>
  )
}
