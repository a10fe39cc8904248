import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AccountSettings } from '../_parts/account-settings'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('account'))('title') }
}

export default function Page() {
  return <AccountSettings />
}
