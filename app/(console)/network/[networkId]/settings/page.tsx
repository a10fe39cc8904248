import { redirect } from 'next/navigation'
import { menu } from '@/model/menu'

/** Settings begin with their first page. */
export default async function SettingsStart({ params }: { params: Promise<{ networkId: string }> }) {
  const { networkId } = await params
  const [first] = menu.find(entry => entry.menuId === 'settings')?.children ?? []
  redirect((first?.path ?? '/network/{n}/dashboard').replace('{n}', networkId))
}
