import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { CapturesPage } from './_parts/captures-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('logs.captures'))('title') }
}

export default function Page() {
  return <CapturesPage />
}
