import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { SamlPage } from './_parts/saml-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('saml'))('title') }
}

export default async function Page() {
  return <SamlPage spec={kindSpec('saml', await loadKind('saml'))} />
}
