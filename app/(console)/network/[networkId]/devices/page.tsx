import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { DevicesPage } from './_parts/devices-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices'))('title') }
}

export default function Page() {
  return <DevicesPage />
}
