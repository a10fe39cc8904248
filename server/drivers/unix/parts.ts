import { randomBytes } from 'node:crypto'
import { DeviceError } from '../driver'
import type { ExecResult } from '../ssh/ssh'

/** What the reading script said, part by part. */
export type Parts = {
  text(name: string): string | undefined
  /** Exit status of the part's command; absent when the part is. */
  status(name: string): number | undefined
  /** Names after a prefix: `names('hostapd/')` gives the interfaces. */
  names(prefix: string): string[]
}

/** The script divides its output by lines `MARK name` … `MARK = status`; the mark is new for every reading. */
export const newMark = (): string => `lanward-${randomBytes(16).toString('hex')}`

/**
 * Rejects when the end mark is missing: then what came is cut off and nothing of it is used. `closed` when the command
 * never told its status either, as when the link breaks or the device goes down; else `malformed`.
 */
export function parseParts({ code, stdout }: Pick<ExecResult, 'code' | 'stdout'>, mark: string): Parts {
  const found = new Map<string, { text: string; status: number }>()
  for (const block of stdout.split(`\n${mark} `).slice(1)) {
    const at = block.indexOf('\n')
    const head = at < 0 ? block : block.slice(0, at)
    if (head.startsWith('= ')) {
      const last = [...found.values()].at(-1)
      if (last) last.status = Number.parseInt(head.slice(2), 10)
    } else if (!found.has(head)) {
      found.set(head, { text: at < 0 ? '' : block.slice(at + 1), status: 0 })
    }
  }
  if (!found.has('end'))
    throw new DeviceError(code === null ? 'closed' : 'malformed', 'the device cut its answer short')
  return {
    text: name => found.get(name)?.text,
    status: name => found.get(name)?.status,
    names: prefix => [...found.keys()].filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length)),
  }
}
