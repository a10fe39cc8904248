import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AdoptionPage } from './_parts/adoption-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('adoption'))('title') }
}

export default function Page() {
  return <AdoptionPage />
}
