import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { TemplatesPage } from './_parts/templates-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers.templates'))('title') }
}

export default function Page() {
  return <TemplatesPage />
}
