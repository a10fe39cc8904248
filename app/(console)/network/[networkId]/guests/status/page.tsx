import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GuestsPage } from './_parts/guests-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('guests'))('title') }
}

export default function Page() {
  return <GuestsPage />
}
