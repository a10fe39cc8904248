import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { TroubleshootingPage } from './_parts/troubleshooting-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('troubleshooting'))('title') }
}

export default function Page() {
  return <TroubleshootingPage />
}
