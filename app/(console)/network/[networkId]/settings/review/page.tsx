import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Words } from '@/app/(console)/_words'
import { networkSession } from '@/server/people/sign-in/page-session'
import { Review } from './_parts/review'
import './review.css'

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await getTranslations('change'))('title') })

type Query = { job?: string; device?: string; restore?: string; at?: string; push?: string }
type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<Query> }

/**
 * What is saved and not yet on the devices, its exact difference on each, and the push itself (`?job=`), which begins
 * by itself with `?push=now`; with
 * `?device=&restore=` the going back of one device to what an earlier push left there.
 */
export default async function ReviewPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const { job, device, restore, at, push } = await searchParams
  const { actor } = await networkSession(networkId)
  const mayPush = actor?.authorities.has('devices_edit') ?? false
  const earlier = device && restore && { deviceId: Number(device), deploymentId: restore, at: Number(at) || 0 }
  const atOnce = push === 'now' && actor?.account
  return (
    <Words areas={['change', 'reasons']} kinds>
      <Review
        networkId={Number(networkId)}
        {...{ mayPush }}
        {...(job && { job })}
        {...(earlier && { earlier })}
        {...(atOnce && { atOnce })}
      />
    </Words>
  )
}
