'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { OwnForm } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { DownloadButton } from '@/app/_ui/download-button'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { RoleLines } from '../../../_parts/role-lines'
import { MetadataReader } from './metadata-reader'

type Saml = CallOutput<'saml/get'>

/** Sign-in by the organization's identity provider: who it is, what it has to know, and which role it gives to whom. */
export function SamlPage({ spec }: { spec: KindSpec<'saml'> }) {
  const t = useTranslations('saml')
  const call = useCall('saml/get', {})
  const certificates = call.data?.set ? call.data.provider.certificates : []
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')} />
      <div className="stack">
        <OwnForm
          spec={spec}
          changes={['saml/get']}
          suggested={{
            // On the server there is none, and the form is not drawn yet.
            baseUrl: globalThis.location?.origin,
            roleAttribute: 'groups',
            nameAttribute: 'displayName',
          }}
          top={part => <MetadataReader {...part} />}
          beside={key =>
            key === 'certificates' && certificates.length > 0 && <Certificates certificates={certificates} />
          }
        />
        <Card title={t('own.title')} pad>
          <Loaded call={call}>{found => <Own saml={found} />}</Loaded>
        </Card>
        <RoleLines source="saml" />
      </div>
    </>
  )
}

const plain = (text: string) => (
  <span dir="ltr" className="break-all">
    {text}
  </span>
)

/** Those that are saved, as a person compares them with the provider's page. */
function Certificates({ certificates }: { certificates: Extract<Saml, { set: true }>['provider']['certificates'] }) {
  const t = useTranslations('saml.certificates')
  return (
    <ul className="stack" aria-label={t('title')}>
      {certificates.map(({ sha256, subject, validTo }) => (
        <li key={sha256}>
          {plain(subject)}, {t('validTo')} <Moment at={validTo} />
          <br />
          <span dir="ltr" className="fine-print break-all">
            {sha256}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Entity, address and metadata of this manager, to be handed over. */
function Own({ saml }: { saml: Saml }) {
  const t = useTranslations('saml.own')
  if (!saml.set) return <p className="soft">{t('first')}</p>
  return (
    <div className="stack">
      <KeyValues
        stacked
        rows={[
          [t('entity'), plain(saml.own.entity)],
          [t('answer'), plain(saml.own.answerUrl)],
        ]}
      />
      <div>
        <DownloadButton address={saml.own.metadata}>{t('download')}</DownloadButton>
      </div>
    </div>
  )
}
