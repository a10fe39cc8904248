import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { NetworkForm } from '../../network/_parts/network-form'

const nobodys = Number.MAX_SAFE_INTEGER

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('networks.form'))('create') }
}

export default async function NetworkFormPage({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  const { id: text } = await searchParams
  const id = Number(text)
  // What is no number is no network's: the form says that it is gone.
  return <NetworkForm id={text === undefined ? undefined : Number.isSafeInteger(id) && id > 0 ? id : nobodys} />
}
