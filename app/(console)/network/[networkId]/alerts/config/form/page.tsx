import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ConfigForm } from '../../_parts/config-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('alerts.config'))('title') }
}

export default function Page() {
  return <ConfigForm />
}
