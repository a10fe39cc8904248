import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import * as z from 'zod'
import { feedbackKinds } from '@/model/feedback'
import type { Runtime } from '@/server/kernel/runtime'

// Where feedback waited before it was in the database: `feedback/<id>.json`, its attachment beside it as `<id>.bin`. Each
// stays there as long as it waits, for a version that goes back to the generation from before.

const shape = z.object({
  id: z.uuid(),
  at: z.number(),
  account: z.string(),
  name: z.string(),
  role: z.string(),
  version: z.string(),
  browser: z.string(),
  kind: z.enum(feedbackKinds),
  text: z.string(),
  reply: z.string(),
  attachment: z.object({ name: z.string(), type: z.string() }).optional(),
  error: z.string(),
})
export type FormerFeedback = z.output<typeof shape> & { /** Where the attachment lies. */ path?: string | undefined }

const folderOf = ({ config }: Runtime) => `${config.data}/feedback`
const remove = (path: string) => rmSync(/* turbopackIgnore: true */ path, { force: true })

function read(path: string): FormerFeedback | undefined {
  try {
    const found = shape.parse(JSON.parse(readFileSync(/* turbopackIgnore: true */ path, 'utf8')))
    const bytes = path.replace(/json$/, 'bin')
    return { ...found, ...(found.attachment && existsSync(/* turbopackIgnore: true */ bytes) && { path: bytes }) }
  } catch {
    return undefined
  }
}

/** What waits there. What was only sent ahead, or half written, goes: its page is gone as well. */
export function readFormer(runtime: Runtime): FormerFeedback[] {
  const folder = folderOf(runtime)
  if (!existsSync(/* turbopackIgnore: true */ folder)) return []
  const names = readdirSync(/* turbopackIgnore: true */ folder)
  for (const name of names) if (/^staged-|\.partial$/.test(name)) remove(`${folder}/${name}`)
  return names.filter(name => /^[0-9a-f-]{36}\.json$/.test(name)).flatMap(name => read(`${folder}/${name}`) ?? [])
}

export function removeFormer(runtime: Runtime, id: string): void {
  const folder = folderOf(runtime)
  if (!existsSync(/* turbopackIgnore: true */ folder)) return
  for (const end of ['json', 'bin']) remove(`${folder}/${id}.${end}`)
  if (readdirSync(/* turbopackIgnore: true */ folder).length === 0) rmdirSync(/* turbopackIgnore: true */ folder)
}
