import * as z from 'zod'
import { type AnyCall, call } from '@/server/kernel/call'
import { document } from './openapi'

/** The call that describes all calls; `all` answers them, itself among them. */
export const describeCall = (all: () => readonly AnyCall[]) =>
  call({
    path: 'openapi.json',
    tag: 'api',
    authority: 'session',
    scope: 'organization',
    changes: false,
    get: true,
    keys: true,
    input: z.strictObject({}),
    run: async ({ cookie }): Promise<Response> =>
      new Response(await document(all(), cookie('locale')), {
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      }),
  })
