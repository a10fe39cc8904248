import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { OwnSettings } from '@/app/_form/own-settings'
import { Words } from '@/app/(console)/_words'
import { DeviceDetail } from './_parts/device-detail'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices.detail'))('label') }
}

type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<{ id?: string }> }

export default async function DeviceDetailPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const id = Number((await searchParams).id)
  if (!Number.isSafeInteger(id) || id <= 0) return <DeviceDetail id={undefined} />
  return (
    <Words areas={['devices', 'dashboard', 'reasons', 'events', 'change']} kinds>
      <DeviceDetail id={id} own={<OwnSettings of="device" {...{ networkId, id }} />} />
    </Words>
  )
}
