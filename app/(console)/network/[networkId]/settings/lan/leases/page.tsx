import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { LeasesPage } from './_parts/leases-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('lan.dhcpLeases'))('title') }
}

export default function Page() {
  return <LeasesPage />
}
