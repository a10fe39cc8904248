import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { NoticePage } from '../../_parts/notice-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('alertsPage.notice'))('title') }
}

export default function Page() {
  return <NoticePage />
}
