import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { feedbackKinds } from '@/model/feedback'
import type { Runtime } from '@/server/kernel/runtime'

// Feedback that waits, and attachments that were sent ahead of theirs, as files beside the database: large, few, short-lived.

const attachment = z.object({ name: z.string(), type: z.string(), size: z.number() })
export type Attachment = z.output<typeof attachment>

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
  /** Where the person wants an answer; '' nowhere. */
  reply: z.string(),
  attachment: attachment.optional(),
  /** Why it was not sent at the last try. */
  error: z.string(),
})
export type Feedback = z.output<typeof shape>

const stagedShape = attachment.extend({ id: z.uuid() })

const folderOf = ({ config }: Runtime): string => {
  const folder = `${config.data}/feedback`
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  return folder
}

function write(path: string, data: string | Uint8Array): void {
  writeFileSync(/* turbopackIgnore: true */ `${path}.partial`, data, { mode: 0o600 })
  renameSync(/* turbopackIgnore: true */ `${path}.partial`, /* turbopackIgnore: true */ path)
}
const remove = (path: string) => rmSync(/* turbopackIgnore: true */ path, { force: true })

function read<S extends z.ZodType>(path: string, as: S): z.output<S> | undefined {
  try {
    return as.safeParse(JSON.parse(readFileSync(/* turbopackIgnore: true */ path, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Keeps an attachment until its feedback is sent: one for each account, the newest. */
export function stage(runtime: Runtime, account: number, file: Omit<Attachment, 'size'>, bytes: Uint8Array) {
  const at = `${folderOf(runtime)}/staged-${account}`
  const staged = { id: randomUUID(), name: file.name, type: file.type, size: bytes.length }
  write(`${at}.bin`, bytes)
  write(`${at}.json`, JSON.stringify(staged))
  return staged
}

export function unstage(runtime: Runtime, account: number): void {
  for (const end of ['json', 'bin']) remove(`${folderOf(runtime)}/staged-${account}.${end}`)
}

/** The attachment that this account sent ahead under this id, if it is there still. */
export function stagedOf(runtime: Runtime, account: number, id: string): Attachment | undefined {
  const found = read(`${folderOf(runtime)}/staged-${account}.json`, stagedShape)
  return found?.id === id ? { name: found.name, type: found.type, size: found.size } : undefined
}

/** Attachments whose feedback never came. */
export function dropStaged(runtime: Runtime, before: number): void {
  const folder = folderOf(runtime)
  for (const name of readdirSync(/* turbopackIgnore: true */ folder))
    if (name.startsWith('staged-') && statSync(/* turbopackIgnore: true */ `${folder}/${name}`).mtimeMs < before)
      remove(`${folder}/${name}`)
}

/** Writes feedback down, with the attachment that its account staged. */
export function keep(runtime: Runtime, account: number, feedback: Feedback): void {
  const folder = folderOf(runtime)
  if (feedback.attachment) {
    renameSync(
      /* turbopackIgnore: true */ `${folder}/staged-${account}.bin`,
      /* turbopackIgnore: true */ `${folder}/${feedback.id}.bin`,
    )
    unstage(runtime, account)
  }
  rewrite(runtime, feedback)
}

export const rewrite = (runtime: Runtime, feedback: Feedback): void =>
  write(`${folderOf(runtime)}/${feedback.id}.json`, JSON.stringify(feedback))

/** What is kept, the newest first. */
export function kept(runtime: Runtime): Feedback[] {
  const folder = folderOf(runtime)
  return readdirSync(/* turbopackIgnore: true */ folder)
    .filter(name => /^[0-9a-f-]{36}\.json$/.test(name))
    .flatMap(name => read(`${folder}/${name}`, shape) ?? [])
    .toSorted((a, b) => b.at - a.at)
}

export const isKept = (runtime: Runtime, id: string): boolean =>
  existsSync(/* turbopackIgnore: true */ `${folderOf(runtime)}/${id}.json`)

export function attached(runtime: Runtime, { id, attachment }: Feedback): Buffer | undefined {
  const path = `${folderOf(runtime)}/${id}.bin`
  return attachment && existsSync(/* turbopackIgnore: true */ path)
    ? readFileSync(/* turbopackIgnore: true */ path)
    : undefined
}

export function drop(runtime: Runtime, id: string): void {
  for (const end of ['json', 'bin']) remove(`${folderOf(runtime)}/${id}.${end}`)
}
