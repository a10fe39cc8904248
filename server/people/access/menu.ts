import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import { type MenuEntry, menu } from '@/model/menu'
import type { Actor } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { accessibleNetwork, homeNetwork } from './access'

export type MenuItem = {
  menuId: string
  pathId: string
  name: string
  path: string
  icon: string
  hasChild: boolean
  hidden: boolean
  authority: string[]
  children: MenuItem[]
}

const allowed = (entry: MenuEntry, held: ReadonlySet<string>) => entry.authority.some(name => held.has(name))

function item(entry: MenuEntry, network: string, held: ReadonlySet<string>): MenuItem {
  const children = (entry.children ?? []).filter(child => allowed(child, held)).map(child => item(child, network, held))
  const looks = held.has(entry.authority[0] ?? '') ? entry : (entry.lesser ?? entry)
  return {
    menuId: entry.menuId,
    pathId: entry.path,
    name: looks.name,
    path: entry.path.replace('{n}', network),
    icon: looks.icon,
    hasChild: children.some(child => !child.hidden),
    hidden: entry.hidden ?? false,
    authority: entry.authority.filter(name => held.has(name)),
    children,
  }
}

/** An entry as this person sees it. What lies below one that is not theirs may still be: the review of changes without any settings. */
function itemsOf(entry: MenuEntry, network: string, held: ReadonlySet<string>): MenuItem[] {
  if (allowed(entry, held)) return [item(entry, network, held)]
  return (entry.children ?? []).flatMap(child => itemsOf(child, network, held))
}

/**
 * The screens this person may open, for the network their session shows (else the one they land in; without any, none of a network). Without any screen the
 * answer is code 20011: the console shows the forbidden page.
 */
export function menuFor(runtime: Runtime, actor: Actor) {
  const held = actor.authorities
  const network = accessibleNetwork(runtime.db, actor, actor.network) ?? homeNetwork(runtime.db, actor)
  const menus = menu
    .filter(entry => network || !entry.path.includes('{n}'))
    .flatMap(entry => itemsOf(entry, String(network?.id ?? ''), held))
  if (!menus.length) fail('menuForbidden')
  const account = runtime.db.select().from(accounts).where(eq(accounts.id, actor.id)).get()
  const every = menu.flatMap(entry => [entry, ...(entry.children ?? [])])
  return {
    menus,
    /** Paths of the screens that they may not open. */
    denied: every.filter(entry => !allowed(entry, held)).map(entry => entry.path),
    role: actor.role,
    localDeploy: 1,
    timeFormat: { format: account?.dateFormat ?? 'yyyy-MM-dd', hour: account?.hours ?? 24 },
    network: network ? { id: network.id, name: network.name, access: network.access } : null,
    switchs: [],
    movetoCloud: false,
  }
}
