import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { networkSession } from '@/server/people/sign-in/page-session'
import { Staff } from './_parts/staff'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations('radius.staff'))('title'),
})

export default async function StaffPage({ params }: { params: Promise<{ networkId: string }> }) {
  const { actor } = await networkSession((await params).networkId)
  const needed = ['settings_profiles_edit', 'settings_wifi_edit'] as const
  if (!needed.every(one => actor?.authorities.has(one))) redirect('/forbidden')
  return <Staff />
}
