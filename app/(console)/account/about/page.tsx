import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Card, KeyValues } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import packageJson from '@/package.json'
import { readGeneral } from '@/server/kernel/general'
import { pageSession } from '@/server/people/sign-in/page-session'
import { Licences } from './_parts/licences'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('account.about'))('title') }
}

/** Which product, which version, under which licence. */
export default async function AboutPage() {
  const t = await getTranslations('account.about')
  const { runtime } = await pageSession()
  return (
    <>
      <PageHead title={t('title')} />
      <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
        <Card title="Lanward" pad>
          <p className="soft">{t('what')}</p>
        </Card>
        <Card pad>
          <KeyValues
            rows={[
              [t('version'), packageJson.version],
              [t('licence'), packageJson.license],
              [t('manager'), readGeneral(runtime.db).name],
              [t('node'), process.versions.node],
            ]}
          />
        </Card>
        <Licences />
      </div>
    </>
  )
}
