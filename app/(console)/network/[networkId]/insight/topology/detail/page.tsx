import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { WayPage } from './_parts/way-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('topology.detail'))('title') }
}

type Props = { searchParams: Promise<{ id?: string }> }

export default async function Page({ searchParams }: Props) {
  const { id = '' } = await searchParams
  return <WayPage device={/^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined} />
}
