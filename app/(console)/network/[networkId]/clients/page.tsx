import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ClientsPage } from './_parts/clients-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('clients'))('title') }
}

export default function Page() {
  return <ClientsPage />
}
