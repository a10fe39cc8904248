import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AddDevices } from './_parts/add-devices'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('addDevices'))('title') }
}

export default function Page() {
  return <AddDevices />
}
