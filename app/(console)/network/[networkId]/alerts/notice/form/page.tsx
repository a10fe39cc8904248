import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { NoticePage } from '../../_parts/notice-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('alerts.notice'))('title') }
}

export default async function Page() {
  return <NoticePage spec={kindSpec('notices', await loadKind('notices'))} />
}
