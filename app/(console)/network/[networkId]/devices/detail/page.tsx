import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { DeviceDetail } from './_parts/device-detail'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices.detail'))('label') }
}

export default async function DeviceDetailPage({ searchParams }: { searchParams: Promise<{ id?: string }> }) {
  const id = Number((await searchParams).id)
  return <DeviceDetail id={Number.isSafeInteger(id) && id > 0 ? id : undefined} />
}
