import { redirect } from 'next/navigation'
import { menu } from '@/model/menu'
import { networkSession } from '@/server/people/sign-in/page-session'

const pages = menu.find(entry => entry.menuId === 'guests')?.children?.filter(entry => !entry.hidden) ?? []

/** Guests begin with who is in, or with the first page that its reader may open. */
export default async function GuestsStart({ params }: { params: Promise<{ networkId: string }> }) {
  const { networkId } = await params
  const { actor } = await networkSession(networkId)
  const first = pages.find(entry => entry.authority.some(name => actor?.authorities.has(name)))
  redirect(first?.path.replace('{n}', networkId) ?? '/forbidden')
}
