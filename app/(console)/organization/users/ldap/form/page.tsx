import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import { loadKind } from '@/model/registry'
import { DirectoryPage } from './_parts/directory-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('ldap'))('title') }
}

export default async function Page() {
  return <DirectoryPage spec={kindSpec('directory', await loadKind('directory'))} />
}
