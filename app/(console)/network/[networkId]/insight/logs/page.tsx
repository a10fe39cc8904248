import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { LogsScreen } from './_parts/logs-screen'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('logs'))('title') }
}

export default async function Page() {
  return <LogsScreen spec={kindSpec('logReception', await loadKind('logReception'))} />
}
