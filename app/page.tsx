import { redirect } from 'next/navigation'
import { isRefusal } from '@/server/kernel/fail'
import { menuFor } from '@/server/people/access/menu'
import { pageSession } from '@/server/people/sign-in/page-session'
import { firstPath } from './(console)/_shell/menu-tree'

function home({ runtime, session }: Awaited<ReturnType<typeof pageSession>>): string {
  if (!session) return '/login'
  try {
    const { menus, network } = menuFor(runtime, session.actor)
    return firstPath(menus, network?.id ?? null)
  } catch (error) {
    if (isRefusal(error)) return '/forbidden'
    throw error
  }
}

/** The wizard, the sign-in, or the first screen of the menu. */
export default async function Home({ searchParams }: { searchParams: Promise<{ denied?: string }> }) {
  const page = await pageSession()
  if (!page.wizardDone) redirect('/wizard')
  const path = home(page)
  redirect((await searchParams).denied && page.session ? `${path}?denied=1` : path)
}
