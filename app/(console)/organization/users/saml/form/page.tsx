import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SamlPage } from './_parts/saml-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('saml'))('title') }
}

export default function Page() {
  return <SamlPage />
}
