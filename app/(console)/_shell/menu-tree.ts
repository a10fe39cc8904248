import type { MenuItem } from '@/server/people/access/menu'

/** A menu entry's address on the network that the page shows. */
export const pathOf = (item: MenuItem, network: number | null): string =>
  network === null ? item.path : item.pathId.replace('{n}', String(network))

/** The first screen a person may open. */
export function firstPath(menus: readonly MenuItem[], network: number | null): string {
  const first = menus.find(item => !item.hidden)
  if (!first) return '/forbidden'
  const child = first.children.find(item => !item.hidden)
  return pathOf(child ?? first, network)
}

/** The entries that lead to a path, outermost first: what the breadcrumb shows and the menu marks. */
export function trailTo(menus: readonly MenuItem[], path: string, network: number | null): MenuItem[] {
  let best: MenuItem[] = []
  let length = 0
  const visit = (items: readonly MenuItem[], above: MenuItem[]) => {
    for (const item of items) {
      const own = pathOf(item, network)
      if ((path === own || path.startsWith(`${own}/`)) && own.length > length) {
        best = [...above, item]
        length = own.length
      }
      visit(item.children, [...above, item])
    }
  }
  visit(menus, [])
  // A form lies beside its list in the menu, yet below it in the address: the list is on the way too.
  const onTheWay = (item: MenuItem) => path.startsWith(`${pathOf(item, network)}/`)
  return best.flatMap((item, at) => {
    const beside = at === 0 ? menus : (best[at - 1]?.children ?? [])
    return [...beside.filter(other => !best.includes(other) && onTheWay(other)), item]
  })
}

const lengthIn = (path: string, network: number | null, pathIds: readonly string[]): number =>
  Math.max(
    0,
    ...pathIds
      .map(pathId => pathId.replace('{n}', String(network ?? '')))
      .filter(own => path === own || path.startsWith(`${own}/`))
      .map(own => own.length),
  )

/** Whether the screen at a path is none of this person's: the nearest one to it is among those they may not open. */
export function isDenied(path: string, network: number | null, menus: readonly MenuItem[], denied: readonly string[]) {
  const own = menus.flatMap(item => [item, ...item.children]).map(item => item.pathId)
  return lengthIn(path, network, denied) > lengthIn(path, network, own)
}

/** Whose a settings page is shown for, where it is not the network's: one comes back to the network's own. */
const scopes = ['group', 'device']

/** Whether a page comes back as it was left: one of the menu, not a form or a detail. */
export function isKept(menus: readonly MenuItem[], path: string, query: string): boolean {
  const network = networkIn(path)
  const found = menus
    .flatMap(item => [item, ...item.children])
    .some(item => !item.hidden && pathOf(item, network) === path)
  const scoped = path.includes('/settings/') && scopes.some(scope => new URLSearchParams(query).has(scope))
  return found && !scoped
}

/** Network of a page's address. */
export const networkIn = (path: string): number | null => {
  const found = /^\/network\/(\d+)(\/|$)/.exec(path)
  return found ? Number(found[1]) : null
}

/** Keys after `g`, by menu entry. */
export const goKeys: Readonly<Record<string, string>> = {
  dashboard: 'd',
  devices: 'e',
  clients: 'c',
  guests: 'g',
  alerts: 'a',
  settings: 's',
  organization_network: 'n',
  organization_manager: 'm',
}
