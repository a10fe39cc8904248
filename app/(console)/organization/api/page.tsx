import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { ApiPage } from './_parts/api-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('api'))('title') }
}

export default async function Page() {
  const [segments, store] = await Promise.all([loadKind('webhookSegments'), loadKind('metricsStore')])
  return <ApiPage segments={kindSpec('webhookSegments', segments)} store={kindSpec('metricsStore', store)} />
}
