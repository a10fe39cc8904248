const menuButton = '[data-tour=menu]'
/** Where each stop points: the first of these that is on the screen. A stop that has no place is left out. */
const places = {
  systems: ['[data-tour=systems]'],
  account: ['[data-tour=account]'],
  companies: ['.tabs a[href*="tab=companies"]', '.side a[href^="/organization/users"]', menuButton],
} as const
export type Stop = keyof typeof places

export const shown = (stop: Stop): Element | undefined =>
  places[stop]
    .flatMap(place => [...document.querySelectorAll(place)])
    .find(element => element.getClientRects().length > 0)
