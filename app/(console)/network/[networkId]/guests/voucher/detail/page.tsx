import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GroupDetail } from './_parts/group-detail'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers.detail'))('title') }
}

export default async function Page({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  return <GroupDetail id={Number((await searchParams).id) || 0} />
}
