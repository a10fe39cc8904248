import { redirect } from 'next/navigation'
import { isAtDesk } from '@/model/authority'
import { isRefusal } from '@/server/kernel/fail'
import { menuFor } from '@/server/people/access/menu'
import { pageSession } from '@/server/people/sign-in/page-session'
import { firstPath } from './(console)/_shell/menu-tree'

function home({ runtime, session }: Awaited<ReturnType<typeof pageSession>>): string {
  if (!session) return '/login'
  try {
    const { menus, network } = menuFor(runtime, session.actor)
    if (network && isAtDesk(session.actor.authorities)) return `/network/${network.id}/guests/desk`
    return firstPath(menus, network?.id ?? null)
  } catch (error) {
    if (isRefusal(error)) return '/forbidden'
    throw error
  }
}

/** The wizard, the sign-in, or the first screen of the menu; the front desk for who is there for guests alone. */
export default async function Home({ searchParams }: { searchParams: Promise<{ denied?: string }> }) {
  const page = await pageSession()
  if (!page.wizardDone) redirect('/wizard')
  const path = home(page)
  redirect((await searchParams).denied && page.session ? `${path}?denied=1` : path)
}
