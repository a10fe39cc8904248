import { getTranslations } from 'next-intl/server'
import type { Authority } from '@/model/authority'
import { authorityOf, isSingle, type KindId, kindIds, kinds, listAddress, loadKind } from '@/model/registry'

/** Where settings of a kind are, below /network/{n}/, and what the search calls them; `add` where one may be made. */
export type SettingsPlace = { id: KindId; list: string; form: string; title: string; one: string; add?: string }

/** The kinds that whoever holds these rights may read. */
export function settingsPlaces(held: ReadonlySet<Authority>): Promise<SettingsPlace[]> {
  const readable = kindIds.filter(id => held.has(authorityOf(id)))
  return Promise.all(
    readable.map(async id => {
      const { area } = await loadKind(id)
      const t = await getTranslations(area as 'wifi')
      const word = (key: 'title' | 'one' | 'add') => t(`${id as 'ssid'}.${key}`)
      const mayAdd = !isSingle(id) && held.has(`${authorityOf(id)}_edit` as Authority)
      return {
        ...{ id, list: listAddress(id), form: kinds[id].form, title: word('title') },
        one: isSingle(id) ? '' : word('one'),
        ...(mayAdd && { add: word('add') }),
      }
    }),
  )
}
