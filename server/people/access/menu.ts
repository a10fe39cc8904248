import { eq } from 'drizzle-orm'
import { accounts } from '@/db/schema'
import { type Authorities, besideShared } from '@/model/authority'
import { type MenuEntry, type MenuName, menu, openTabs } from '@/model/menu'
import type { Actor } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { type AccessibleNetwork, accessibleNetwork, findAccessible, findTransferred, homeNetwork } from './access'

/** `path`: with its `?tab=`; of a tab no page has tabs below it. */
export type MenuItemTab = { id: string; path: string; authority: string[]; tabs: MenuItemTab[] }

export type MenuItem = {
  menuId: string
  pathId: string
  name: MenuName
  path: string
  icon: string
  hasChild: boolean
  hidden: boolean
  authority: string[]
  /** The network that the page is of; null for a page of the organization or of one's account. */
  networkId: number | null
  /** The page above it. */
  parent: { menuId: string; path: string } | null
  tabs: MenuItemTab[]
  children: MenuItem[]
}

/** For whom a menu is made: who looks, and the network whose pages it leads to. */
type Place = { network: number | null; held: Authorities }

const allowed = (entry: Pick<MenuEntry, 'authority'>, held: Authorities) => entry.authority.some(name => held.has(name))
const heldOf = (entry: Pick<MenuEntry, 'authority'>, { held }: Place) => entry.authority.filter(name => held.has(name))
const pathIn = ({ path }: MenuEntry, { network }: Place) => path.replace('{n}', String(network ?? ''))

function tabsOf(entry: MenuEntry, place: Place): MenuItemTab[] {
  const path = pathIn(entry, place)
  const first = entry.tabs?.[0]?.id
  return openTabs(entry.tabs ?? [], place.held).map(tab => ({
    id: tab.id,
    path: tab.id === first ? path : `${path}?tab=${tab.id}`,
    authority: heldOf(tab, place),
    tabs: [],
  }))
}

function item(entry: MenuEntry, place: Place, above?: MenuEntry): MenuItem {
  const children = (entry.children ?? [])
    .filter(child => allowed(child, place.held))
    .map(child => item(child, place, entry))
  const [first] = entry.authority
  const looks = first && place.held.has(first) ? entry : (entry.lesser ?? entry)
  return {
    menuId: entry.menuId,
    pathId: entry.path,
    name: looks.name,
    path: pathIn(entry, place),
    icon: looks.icon,
    hasChild: children.some(child => !child.hidden),
    hidden: entry.hidden ?? false,
    authority: heldOf(entry, place),
    networkId: entry.path.includes('{n}') ? place.network : null,
    parent: above ? { menuId: above.menuId, path: pathIn(above, place) } : null,
    tabs: tabsOf(entry, place),
    children,
  }
}

/** An entry as this person sees it. What lies below one that is not theirs may still be: the review of changes without any settings. */
function itemsOf(entry: MenuEntry, place: Place, above?: MenuEntry): MenuItem[] {
  if (allowed(entry, place.held)) return [item(entry, place, above)]
  return (entry.children ?? []).flatMap(child => itemsOf(child, place, entry))
}

/** Of which network: one by its number, or one that is being handed over here by the key of that. */
export type MenuOf = { network?: number; transferKey?: string }

/** Without a word the one that the session shows, else the one where the person lands. */
function networkOf({ db }: Runtime, actor: Actor, { network, transferKey }: MenuOf): AccessibleNetwork | undefined {
  if (transferKey !== undefined) return findTransferred(db, actor, transferKey)
  if (network !== undefined) return findAccessible(db, actor, network)
  return accessibleNetwork(db, actor, actor.network) ?? homeNetwork(db, actor)
}

/**
 * The screens this person may open. Of a network that is named, what they may do there counts: refuses with 20010 where
 * they do not enter it. Without any screen the answer is code 20011: the console shows the forbidden page.
 */
export function menuFor(runtime: Runtime, actor: Actor, of: MenuOf = {}) {
  const network = networkOf(runtime, actor, of)
  const named = of.network !== undefined || of.transferKey !== undefined
  const held =
    named && network && network.access !== 'own' ? besideShared(actor.authorities, network.access) : actor.authorities
  const place = { network: network?.id ?? null, held }
  const menus = menu.filter(entry => network || !entry.path.includes('{n}')).flatMap(entry => itemsOf(entry, place))
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
