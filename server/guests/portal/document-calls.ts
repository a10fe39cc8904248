import * as z from 'zod'
import { documentCode } from '@/model/codes'
import type { Data } from '@/model/kind'
import { loadKind } from '@/model/registry'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { saveDocument, viewDocuments } from '@/server/networks/settings/documents'

// The policy of a network's guests and their page, by the paths that the specification has for them: the very documents of
// settings/portal and settings/splash.

const of = <const P extends 'guests/policy' | 'guests/page'>(path: P, id: 'portal' | 'splash') =>
  [
    call({
      ...({ scope: 'network', authority: 'settings_profiles', changes: false, tag: 'guests' } as const),
      path: `${path}/get`,
      input: z.strictObject({ id: z.uuid('notFound') }),
      async run({ runtime, network }, input) {
        const found = viewDocuments(runtime, network.id, await loadKind(id)).find(row => row.id === input.id)
        return found ?? fail(documentCode(id, 'notFound'), { id: input.id })
      },
    }),
    call({
      ...({ scope: 'network', authority: 'settings_profiles_edit', changes: true, tag: 'guests' } as const),
      topics: ['settings'],
      changelog: 'entry',
      send: 'once',
      path: `${path}/save`,
      // The fields are the kind's own: saveDocument judges them all, unknown ones included.
      input: z.record(z.string(), z.unknown()),
      run: async (context, input) => saveDocument(context, await loadKind(id), input as Data),
    }),
  ] as const

export const guestDocumentCalls = [...of('guests/policy', 'portal'), ...of('guests/page', 'splash')] as const
