import { accessibleNetwork } from '@/server/people/access/access'
import { activateNetwork } from '@/server/people/accounts/sessions'
import { pageSession } from '@/server/people/sign-in/page-session'
import { NetworkGone } from '../../_shell/network-gone'

type Props = { children: React.ReactNode; params: Promise<{ networkId: string }> }

/** The network in the address becomes the one this session shows, so that two tabs on two networks both work. */
export default async function NetworkLayout({ children, params }: Props) {
  const { runtime, session } = await pageSession()
  if (!session) return null
  const id = Number((await params).networkId)
  if (!Number.isSafeInteger(id) || !accessibleNetwork(runtime.db, session.actor, id)) return <NetworkGone />
  if (session.actor.network !== id) activateNetwork(runtime, session.actor.session, id)
  return children
}
