import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Desk } from './_parts/desk'

type Props = { params: Promise<{ networkId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const title = (await getTranslations('desk'))('title')
  // By which a phone puts the page on its home screen.
  return { title, manifest: `/app/front-desk?network=${Number((await params).networkId) || 0}` }
}

export default function Page() {
  return <Desk />
}
