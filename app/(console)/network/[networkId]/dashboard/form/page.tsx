import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { EditForm } from '../_parts/edit-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('dashboard.form'))('title') }
}

export default function Page() {
  return <EditForm />
}
