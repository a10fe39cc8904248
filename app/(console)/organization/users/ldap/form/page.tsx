import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { DirectoryPage } from './_parts/directory-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('ldap'))('title') }
}

export default function Page() {
  return <DirectoryPage />
}
