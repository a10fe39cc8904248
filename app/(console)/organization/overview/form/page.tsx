import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { NetworkForm } from '../../network/_parts/network-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('networks.form'))('create') }
}

export default async function NetworkFormPage({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  const id = Number((await searchParams).id)
  return <NetworkForm id={Number.isInteger(id) && id > 0 ? id : undefined} />
}
