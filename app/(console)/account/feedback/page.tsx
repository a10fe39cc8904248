import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { FeedbackPage } from './_parts/feedback-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('feedback'))('title') }
}

export default async function Page() {
  return <FeedbackPage address={kindSpec('feedbackAddress', await loadKind('feedbackAddress'))} />
}
