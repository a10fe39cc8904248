import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GroupsPage } from './_parts/groups-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers'))('title') }
}

export default function Page() {
  return <GroupsPage />
}
