import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { FeedbackPage } from './_parts/feedback-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('feedback'))('title') }
}

export default function Page() {
  return <FeedbackPage />
}
