import { redirect } from 'next/navigation'
import { kindIds, kinds } from '@/model/registry'

/** Settings begin with their first list. */
export default async function SettingsStart({ params }: { params: Promise<{ networkId: string }> }) {
  const { networkId } = await params
  const [first] = kindIds
  redirect(`/network/${networkId}/${first ? kinds[first].list : 'dashboard'}`)
}
