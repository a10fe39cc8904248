import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GroupForm } from '../_parts/group-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices.group'))('title') }
}

export default function GroupFormPage() {
  return <GroupForm />
}
