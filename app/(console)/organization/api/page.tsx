import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ApiPage } from './_parts/api-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('api'))('title') }
}

export default function Page() {
  return <ApiPage />
}
