import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { RoleForm } from './_parts/role-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('users'))('roles.editTitle') }
}

export default async function Page({ searchParams }: { searchParams: Promise<{ id?: string | string[] }> }) {
  const { id } = await searchParams
  return <RoleForm id={typeof id === 'string' && id !== '' ? id : undefined} />
}
