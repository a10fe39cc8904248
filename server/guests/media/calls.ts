import * as z from 'zod'
import { f } from '@/model/fields'
import { judgeMedia, mediaNameCharacters, mediaSortNames, mediaSorts } from '@/model/guests/media'
import { bodyBytes } from '@/server/kernel/body'
import { call } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { withinRate } from '@/server/kernel/rate'
import { factsOf, fileOf, keepFile } from './store'
import { unpackPage } from './unpack'

const megabyte = 1024 * 1024
const most = Math.max(...Object.values(mediaSorts).map(one => one.bytes))
const uploadsAnHour = 120
const hourMs = 3_600_000

const upload = call({
  scope: 'network',
  authority: 'settings_profiles_edit',
  changes: true,
  tag: 'guests',
  path: 'guests/files/upload',
  topics: ['settings'],
  body: 'stream',
  // What names the file is a splash page, whose change is written down.
  changelog: 'elsewhere',
  send: 'each',
  seconds: 300,
  uploadBytes: most + megabyte,
  input: z.strictObject({
    sort: z.enum(mediaSortNames),
    name: f.name(mediaNameCharacters, 'G18'),
  }),
  /** Rule G18: keeps one file for a splash page to name, judged by its content: {id, sort, name, type, bytes}. */
  async run({ runtime, request, network, now }, { sort, name }) {
    if (!withinRate(runtime, `portal files ${network.id}`, uploadsAnHour, hourMs, now))
      fail('rateLimited', { minutes: 60 })
    // A file that is too large shows by a little more than the largest may have.
    const data = await bodyBytes(request, most + megabyte, () => failFields({ file: 'mediaTooLarge' }))
    const judged = judgeMedia(sort, data)
    if ('problem' in judged) return failFields({ file: judged.problem })
    const files = sort === 'page' ? await unpackPage(data) : []
    if ('problem' in files) return failFields({ file: files.problem })
    const kept = keepFile(runtime, { network: network.id, sort, name, type: judged.type, data, now }, files)
    return kept ?? failFields({ file: 'mediaFull' })
  },
})

const id = z.uuid('notFound')
const reading = { scope: 'network', authority: 'settings_profiles', changes: false, tag: 'guests' } as const

const get = call({
  ...reading,
  path: 'guests/files/get',
  input: z.strictObject({ id }),
  /** What a file is called and how large it is. */
  run: ({ runtime, network }, input) => factsOf(runtime, network.id, input.id) ?? fail('portalFileGone'),
})

const show = call({
  ...reading,
  get: true,
  path: 'guests/files/show',
  input: z.strictObject({ id }),
  /** A picture or video as it is. */
  run({ runtime, network }, input) {
    const found = factsOf(runtime, network.id, input.id) && fileOf(runtime, input.id)
    if (!found || !/^(image|video)\//.test(found.type)) return fail('portalFileGone')
    return new Response(new Uint8Array(found.data), {
      headers: {
        'content-type': found.type,
        'cache-control': 'private, max-age=86400',
        'x-content-type-options': 'nosniff',
      },
    })
  },
})

export const mediaCalls = [upload, get, show] as const
