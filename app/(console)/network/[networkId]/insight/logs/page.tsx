import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { LogsPage } from './_parts/logs-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('logs'))('title') }
}

export default async function Page() {
  return <LogsPage spec={kindSpec('logReception', await loadKind('logReception'))} />
}
