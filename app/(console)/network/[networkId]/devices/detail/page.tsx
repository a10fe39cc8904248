import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { OwnSettings } from '@/app/_form/own-settings'
import { Words } from '@/app/(console)/_words'
import { authoritiesOf } from '@/model/authority'
import { pageSession } from '@/server/accounts/page-session'
import { Clients } from './_parts/clients'
import { DeviceDetail } from './_parts/device-detail'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices.detail'))('label') }
}

type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<{ id?: string }> }

export default async function DeviceDetailPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const id = Number((await searchParams).id)
  if (!Number.isSafeInteger(id) || id <= 0) return <DeviceDetail id={undefined} />
  const { session } = await pageSession()
  const mayBlock = authoritiesOf(session?.actor.role ?? '').has('settings_firewall_edit')
  return (
    <Words areas={['devices', 'dashboard', 'reasons', 'events', 'change']} kinds>
      <DeviceDetail
        id={id}
        own={<OwnSettings of="device" {...{ networkId, id }} />}
        clients={<Clients {...{ id, mayBlock }} />}
      />
    </Words>
  )
}
