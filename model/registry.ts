import type { Authority } from './authority'
import type { Kind } from './kind'

type Entry = {
  /** Paths under /network/{n}/. */
  list: string
  form: string
  /** Reads with it, changes with `<authority>_edit`. */
  authority: Authority
  load(): Promise<Kind>
}

/** Every kind of setting, one line each. A kind's own code is loaded only where it is needed. */
export const kinds = {
  ssid: {
    list: 'settings/wifi',
    form: 'settings/wifi/form',
    authority: 'settings_wifi',
    load: async () => (await import('./wifi/ssid')).ssid,
  },
} as const satisfies Record<string, Entry>

export type KindId = keyof typeof kinds
export const kindIds = Object.keys(kinds) as KindId[]
export const isKindId = (id: string): id is KindId => Object.hasOwn(kinds, id)
export const loadKind = (id: KindId): Promise<Kind> => kinds[id].load()

/** The kind a settings page shows: `settings/wifi` and `settings/wifi/form` are both of `ssid`. */
export function kindAtPath(path: string): { id: KindId; page: 'list' | 'form' } | undefined {
  for (const id of kindIds) {
    if (kinds[id].list === path) return { id, page: 'list' }
    if (kinds[id].form === path) return { id, page: 'form' }
  }
  return undefined
}
