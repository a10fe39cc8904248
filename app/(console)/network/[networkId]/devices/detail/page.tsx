import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ScopedSettings } from '@/app/_form/scoped-settings'
import { Words } from '@/app/(console)/_words'

import type { Authority } from '@/model/authority'
import { authorityOf, kindIds } from '@/model/registry'
import { nameInNetwork } from '@/server/devices/inventory/summary'
import { networkSession } from '@/server/people/sign-in/page-session'
import { Clients } from './_parts/clients'

import { DeviceDetail } from './_parts/device-detail'

/** The device's name, for whoever may read it. */
async function nameOf({ params, searchParams }: Props): Promise<string | undefined> {
  const { networkId } = await params
  const id = Number((await searchParams).id)
  const { runtime, actor } = await networkSession(networkId)
  if (!actor?.authorities.has('devices') || !Number.isSafeInteger(id)) return undefined
  return nameInNetwork(runtime, Number(networkId), id)
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await nameOf(props)) ?? (await getTranslations('devices.detail'))('label') }
}

/** Kinds of settings that the viewer may change by way of a device. */
const editableKinds = (held: ReadonlySet<Authority>): string[] =>
  held.has('devices_edit') ? kindIds.filter(id => held.has(`${authorityOf(id)}_edit` as Authority)) : []

type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<{ id?: string }> }

export default async function DeviceDetailPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const id = Number((await searchParams).id)
  if (!Number.isSafeInteger(id) || id <= 0) return <DeviceDetail id={undefined} editable={[]} />
  const { actor } = await networkSession(networkId)
  const held = actor?.authorities ?? new Set<Authority>()
  return (
    <Words areas={['devices', 'clients', 'dashboard', 'reasons', 'events', 'change', 'import']} kinds fields>
      <DeviceDetail
        id={id}
        editable={editableKinds(held)}
        own={<ScopedSettings of="device" {...{ networkId, id }} />}
        clients={<Clients {...{ id, mayBlock: held.has('settings_firewall_edit') }} />}
      />
    </Words>
  )
}
