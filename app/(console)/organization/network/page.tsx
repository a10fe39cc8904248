import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { NetworksPage } from './_parts/networks-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('networks'))('title') }
}

export default function Page() {
  return <NetworksPage />
}
