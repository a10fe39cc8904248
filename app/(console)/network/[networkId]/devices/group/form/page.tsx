import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { OwnSettings } from '@/app/_form/own-settings'
import { GroupForm } from '../_parts/group-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices.group'))('title') }
}

type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<{ id?: string }> }

export default async function GroupFormPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const id = Number((await searchParams).id)
  return (
    <>
      <GroupForm />
      {Number.isSafeInteger(id) && id > 0 && <OwnSettings of="group" {...{ networkId, id }} />}
    </>
  )
}
