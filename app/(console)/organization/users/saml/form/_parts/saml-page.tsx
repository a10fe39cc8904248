'use client'
import { useTranslations } from 'next-intl'
import { useCall } from '@/app/_api/use-call'
import { LinkButton } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { RoleLines } from '../../../_parts/role-lines'
import { ProviderForm } from './provider-form'
import type { Saml } from './rows'

/** Sign-in by the organization's identity provider: who it is, what it has to know, and which role it gives to whom. */
export function SamlPage() {
  const t = useTranslations('saml')
  const call = useCall('saml/get', {})
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')} />
      <div className="stack">
        <Card title={t('provider.title')} pad>
          <Loaded call={call} lines={8}>
            {saml => <ProviderForm saml={saml} />}
          </Loaded>
        </Card>
        <Card title={t('own.title')} pad>
          <Loaded call={call}>{saml => <Own saml={saml} />}</Loaded>
        </Card>
        <RoleLines source="saml" />
      </div>
    </>
  )
}

/** Entity, address and metadata of this manager, to be handed over. */
function Own({ saml }: { saml: Saml }) {
  const t = useTranslations('saml.own')
  if (!saml.set) return <p className="soft">{t('first')}</p>
  const address = (text: string) => (
    <span dir="ltr" className="break-all">
      {text}
    </span>
  )
  return (
    <div className="stack">
      <KeyValues
        stacked
        rows={[
          [t('entity'), address(saml.own.entity)],
          [t('answer'), address(saml.own.answerUrl)],
        ]}
      />
      <div>
        <LinkButton icon="download" download href={saml.own.metadata}>
          {t('download')}
        </LinkButton>
      </div>
    </div>
  )
}
