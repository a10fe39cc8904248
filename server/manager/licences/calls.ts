import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'

// What the manager is made of, as the build wrote it down (appliance/build/licences.mjs).

const base = { tag: 'manager', scope: 'organization', authority: 'session', changes: false } as const
const shape = z.object({
  packages: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.int() })),
  texts: z.array(z.string()),
})

/** Nothing where no build was made: `npm run dev` runs without. */
async function written({ config }: Runtime): Promise<z.output<typeof shape>> {
  const text = await readFile(/* turbopackIgnore: true */ `${config.root}/dist/licences.json`, 'utf8').catch(() => '')
  return text ? shape.parse(JSON.parse(text)) : { packages: [], texts: [] }
}

const list = call({
  ...base,
  path: 'licences/list',
  input: z.strictObject(wholeListInput),
  /** {result: {name, version, licence}[], total, page, pageSize}, by name; `licence` is an SPDX expression, `version` may be ''. */
  async run({ runtime }, input) {
    const { packages } = await written(runtime)
    const result = packages.map(({ name, version, licence }) => ({ name, version, licence }))
    return listed(result, input, {
      text: one => [one.name, one.licence],
      sort: { name: one => one.name, version: one => one.version, licence: one => one.licence },
    })
  },
})

const get = call({
  ...base,
  path: 'licences/get',
  input: z.strictObject({ name: z.string().max(300), version: z.string().max(100).default('') }),
  /** {text}: the licence as its package brings it. */
  async run({ runtime }, { name, version }) {
    const { packages, texts } = await written(runtime)
    const found = packages.find(one => one.name === name && one.version === version)
    return { text: found ? (texts[found.text] ?? '') : fail('licenceNotFound') }
  },
})

export const licenceCalls = [list, get] as const
