import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SpeedTestPage } from '../_parts/speed-test-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('dashboard.speedTest'))('title') }
}

export default function Page() {
  return <SpeedTestPage />
}
