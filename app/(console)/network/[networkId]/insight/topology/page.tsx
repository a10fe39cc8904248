import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { TopologyPage } from './_parts/topology-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('topology'))('title') }
}

type Props = { searchParams: Promise<{ at?: string }> }

export default async function Page({ searchParams }: Props) {
  return <TopologyPage at={(await searchParams).at} />
}
