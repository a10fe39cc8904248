import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { UsersPage } from './_parts/users-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('users'))('title') }
}

export default function Page() {
  return <UsersPage />
}
