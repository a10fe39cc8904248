import * as z from 'zod'
import { documentCode } from '@/model/codes'
import type { Data } from '@/model/kind'
import { splash as kind } from '@/model/profiles/splash'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { saveDocument, viewDocuments } from '@/server/networks/settings/documents'
import { adCounts } from './ads'

// What splash pages advertise, and how often it was seen.

const names = ['ads', 'adImages', 'adShow', 'adVideo', 'watchSeconds'] as const
const picked = (data: Data, keys: readonly string[]): Data =>
  Object.fromEntries(keys.flatMap(key => (data[key] === undefined ? [] : [[key, data[key]]])))

const given = z.unknown().optional()

const list = call({
  ...({ scope: 'network', authority: 'settings_profiles', changes: false, tag: 'guests' } as const),
  path: 'guests/ads/list',
  input: z.strictObject({ ...listInput, days: z.int().min(1).max(90).default(30) }),
  /**
   * Splash pages that advertise. `shown` and `watched` (to the end of the seconds that it has to be; null where it has to
   * be for none) count visits of the last `days` days.
   */
  run({ runtime, network, now }, { days, ...wanted }) {
    const rows = viewDocuments(runtime, network.id, kind)
      .filter(row => row.ads === 'images' || row.ads === 'video')
      .map(row => {
        const { shown, watched } = adCounts(runtime, network.id, row.id, days, now)
        const forced = row.watchSeconds !== undefined
        const ads = row.ads === 'video' ? ('video' as const) : ('images' as const)
        const own = { ...picked(row, names), ads, shown, watched: forced ? watched : null }
        return { id: row.id, name: String(row.name), ...own }
      })
    return listed(rows, wanted, {
      text: row => [row.name],
      sort: { name: row => row.name, shown: row => row.shown, watched: row => row.watched },
    })
  },
})

const save = call({
  ...({ scope: 'network', authority: 'settings_profiles_edit', changes: true, tag: 'guests' } as const),
  path: 'guests/ads/save',
  topics: ['settings'],
  changelog: 'entry',
  send: 'once',
  // The fields are the kind's own: saveDocument judges them, with the rest of the page.
  input: z.strictObject({
    ...{ id: z.uuid('notFound'), revision: z.int().positive() },
    ...{ ads: given, adImages: given, adShow: given, adVideo: given, watchSeconds: given },
  }),
  run(context, { id, revision, ...wanted }) {
    const found = viewDocuments(context.runtime, context.network.id, kind).find(row => row.id === id)
    if (!found) return fail(documentCode('splash', 'notFound'), { id })
    const others = Object.keys(kind.fields.shape).filter(key => !(names as readonly string[]).includes(key))
    return saveDocument(context, kind, { ...picked(found, others), ...wanted, id, revision })
  },
})

export const adCalls = [list, save] as const
