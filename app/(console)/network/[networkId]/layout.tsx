import { and, eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import { pageSession } from '@/server/accounts/page-session'
import { activateNetwork } from '@/server/accounts/sessions'
import { NetworkGone } from '../../_shell/network-gone'

type Props = { children: React.ReactNode; params: Promise<{ networkId: string }> }

/** The network in the address becomes the one this session shows, so that two tabs on two networks both work. */
export default async function NetworkLayout({ children, params }: Props) {
  const { runtime, session } = await pageSession()
  if (!session) return null
  const id = Number((await params).networkId)
  const own = eq(networks.organization, session.actor.organization)
  const known =
    Number.isSafeInteger(id) &&
    runtime.db
      .select({ id: networks.id })
      .from(networks)
      .where(and(own, eq(networks.id, id)))
      .get()
  if (!known) return <NetworkGone />
  if (session.actor.network !== id) activateNetwork(runtime, session.actor.session, id)
  return children
}
