import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GroupForm } from './_parts/group-form'

type Props = { searchParams: Promise<{ id?: string }> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { id } = await searchParams
  return { title: (await getTranslations('vouchers.form'))(id === undefined ? 'newTitle' : 'editTitle') }
}

export default async function Page({ searchParams }: Props) {
  const { id } = await searchParams
  return <GroupForm id={id === undefined ? undefined : Number(id) || 0} />
}
