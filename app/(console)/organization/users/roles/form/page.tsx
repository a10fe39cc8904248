import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { RoleForm } from './_parts/role-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('users'))('roles.editTitle') }
}

type Search = { id?: string | string[]; copy?: string | string[] }
const one = (value: string | string[] | undefined) => (typeof value === 'string' && value !== '' ? value : undefined)

export default async function Page({ searchParams }: { searchParams: Promise<Search> }) {
  const { id, copy } = await searchParams
  return <RoleForm id={one(id)} copy={one(copy)} />
}
