import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AlertDetail } from '../_parts/alert-detail'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('alerts.detail'))('title') }
}

export default async function Page({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  return <AlertDetail id={Number((await searchParams).id) || 0} />
}
