import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Words } from '@/app/(console)/_words'
import { authoritiesOf } from '@/model/authority'
import { pageSession } from '@/server/accounts/page-session'
import { Review } from './_parts/review'
import './review.css'

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await getTranslations('change'))('title') })

type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<{ job?: string }> }

/** What is saved and not yet on the devices, its exact difference on each, and the push itself (`?job=`). */
export default async function ReviewPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const { job } = await searchParams
  const { session } = await pageSession()
  const mayPush = authoritiesOf(session?.actor.role ?? '').has('devices_edit')
  return (
    <Words areas={['change', 'reasons', 'wifi']}>
      <Review networkId={Number(networkId)} mayPush={mayPush} {...(job && { job })} />
    </Words>
  )
}
