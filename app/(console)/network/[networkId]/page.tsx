import { redirect } from 'next/navigation'

/** A network begins with its dashboard. */
export default async function NetworkStart({ params }: { params: Promise<{ networkId: string }> }) {
  redirect(`/network/${(await params).networkId}/dashboard`)
}
