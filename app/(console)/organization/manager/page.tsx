import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { BackupsPage } from './_parts/backups-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('backups'))('title') }
}

export default function Page() {
  return <BackupsPage />
}
