import { redirect } from 'next/navigation'
import { menu } from '@/model/menu'
import { networkSession } from '@/server/people/sign-in/page-session'

const pages = menu.find(entry => entry.menuId === 'settings')?.children?.filter(entry => !entry.hidden) ?? []

/** Settings begin with Wi-Fi, or with the first page that its reader may open. */
export default async function SettingsStart({ params }: { params: Promise<{ networkId: string }> }) {
  const { networkId } = await params
  const { actor } = await networkSession(networkId)
  const first = pages.find(entry => entry.authority.some(name => actor?.authorities.has(name)))
  redirect(first?.path.replace('{n}', networkId) ?? '/forbidden')
}
