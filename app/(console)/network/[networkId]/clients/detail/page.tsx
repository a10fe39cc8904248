import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ClientDetail } from './_parts/client-detail'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('clients'))('label') }
}

type Props = { searchParams: Promise<{ id?: string }> }

export default async function Page({ searchParams }: Props) {
  return <ClientDetail mac={(await searchParams).id ?? ''} />
}
